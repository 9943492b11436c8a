// What is wrong with a request to an agent, whatever its protocol.

import type { Json } from "./agentwire.js";
import { AgentwireError, isA } from "./errors.js";
import { parseJson } from "./json.js";
import type { HeadersLike } from "./platform.js";

/** One thing that is wrong with a request. */
export interface RequestProblem {
  /** Where: member names and list positions joined by dots, for example `input.0.role`. */
  readonly path: string;
  /** Stable name, snake_case, the server's own: `missing`, `string_type`, `literal_error` … */
  readonly code: string;
  /** What should be there, as a sentence. */
  readonly expected: string;
  /** The actual value. */
  readonly actual: Json;
}

/** A request that cannot be served: everything that is wrong with it, and how the protocol's own server says so. */
export class RequestError extends AgentwireError {
  override readonly name = "RequestError";
  /**
   * What the protocol's own server answers with: 422, or 200 where it answers with an error frame; 413 for a body that is
   * too long. Of `readBody`: 413, 408 or 400.
   */
  readonly status: number;
  readonly contentType: string;
  /** The body of the answer. */
  readonly body: string;
  readonly problems: readonly RequestProblem[];

  constructor(refusal: Refusal) {
    super("bad-request", refusal.message);
    this.status = refusal.status;
    this.contentType = refusal.contentType;
    this.body = refusal.body;
    this.problems = refusal.problems;
  }

  /** The answer of the protocol's own server. */
  toResponse(headers: HeadersLike = {}): Response {
    const all = new Headers(headers);
    all.set("content-type", this.contentType);
    return new Response(this.body, { status: this.status, headers: all });
  }
}

interface Refusal {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly message: string;
  readonly problems: readonly RequestProblem[];
}

/** What the core has read: a list that begins with the request, or the refusal, which is thrown. */
export function accepted(json: string): readonly unknown[] {
  const result = parseJson(json);
  if (Array.isArray(result)) {
    return result;
  }
  const { problems, ...refusal } = result as unknown as CoreRefusal;
  throw new RequestError({ ...refusal, problems: problems.map(problemOf) });
}

/** Returns the problems that the core has found. */
export function problemsOf(json: string): RequestProblem[] {
  return (parseJson(json) as unknown as CoreProblem[]).map(problemOf);
}

/** Returns the problems for which a request is refused; none if it is not. */
export function problemsIn(read: () => unknown): RequestProblem[] {
  try {
    read();
    return [];
  } catch (error) {
    if (isA(error, RequestError)) {
      return [...error.problems];
    }
    throw error;
  }
}

/** A problem as the core writes it. */
interface CoreProblem extends Omit<RequestProblem, "actual"> {
  readonly got: Json;
}

interface CoreRefusal extends Omit<Refusal, "problems"> {
  readonly problems: readonly CoreProblem[];
}

function problemOf({ got, ...problem }: CoreProblem): RequestProblem {
  return { ...problem, actual: got };
}

/** Returns the refusal that the core has written. */
export function refusalFromJson(json: string): RequestError {
  const { problems, ...refusal } = parseJson(json) as unknown as CoreRefusal;
  return new RequestError({ ...refusal, problems: problems.map(problemOf) });
}
