// Refusals, on their way from an object to the worker and from there to the client.

import { runsRefusal } from "agentwire/runs/server";

/** A refusal that an object returns to the worker. */
export interface Refused {
  readonly refused: string;
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The status of an object's answer that has a refusal in its body. Clients do not receive it. */
const REFUSED = 299;

/** Returns a refusal in a `Response`, where the worker expects a stream. */
export function refusedStream(refused: Refused): Response {
  return Response.json(refused, { status: REFUSED });
}

/** Parses the refusal of an object's answer; undefined if the answer is a stream. */
export async function refusedIn(answer: Response): Promise<Refused | undefined> {
  return answer.status === REFUSED ? ((await answer.json()) as Refused) : undefined;
}

/** Returns the answer to the client. */
export function refuse({ refused, detail, retryAfter }: Refused, headers: Record<string, string> = {}): Response {
  const more = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return runsRefusal(refused, detail).toResponse({ "cache-control": "no-store", ...headers, ...more });
}
