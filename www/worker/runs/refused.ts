// Refusals, on their way from an object to the worker and from there to whoever asked.

import { runsRefusal } from "agentwire/runs/server";

/** A refusal that crosses to the worker. */
export interface Refused {
  readonly refused: string;
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The status of an answer of an object that has a refusal in its body. Nobody else sees it. */
const REFUSED = 299;

/** A refusal where the worker expects a stream. */
export function refusedStream(refused: Refused): Response {
  return Response.json(refused, { status: REFUSED });
}

/** The refusal that came where a stream was expected, if it is one. */
export async function refusedIn(answer: Response): Promise<Refused | undefined> {
  return answer.status === REFUSED ? ((await answer.json()) as Refused) : undefined;
}

/** The answer to whoever asked. */
export function refuse({ refused, detail, retryAfter }: Refused, headers: Record<string, string> = {}): Response {
  const more = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return runsRefusal(refused, detail).toResponse({ "cache-control": "no-store", ...headers, ...more });
}
