// The problems of a request to an agent, in any protocol.

import type { Json } from "../agentwire.js";
import { AgentwireError, isA } from "../core/errors.js";
import { parseJson } from "../core/json.js";
import type { HeadersLike } from "../core/platform.js";

/** A problem of a request. */
export interface RequestProblem {
  /**
   * The path of the problem: property names and list positions joined by dots, as the protocol's
   * own server names them: `input.0.role`, `body.threadId`.
   */
  readonly path: string;
  /**
   * The code of the problem, which is stable, in snake_case, and that of the protocol's own server:
   * `missing`, `string_type`, `literal_error` …
   */
  readonly code: string;
  /** The expected value, as a sentence. */
  readonly expected: string;
  /**
   * The value at the path; for a missing property the object without it; `{}` for a body that is
   * not JSON.
   */
  readonly actual: Json;
}

/**
 * Thrown for a request that cannot be handled: all its problems, and the response of the protocol's
 * own server.
 */
export class RequestError extends AgentwireError {
  override readonly name = "RequestError";
  /**
   * The status that the protocol's own server responds with: 422, or 200 if it responds with an
   * error frame; 413 for a body that is too long. For `readBody`: 413, 408 or 400.
   */
  readonly status: number;
  /** The media type of `body`. */
  readonly contentType: string;
  /** The body of that response, in the error format of the protocol. */
  readonly body: string;
  /** All problems of the request; empty if its body could not be received. */
  readonly problems: readonly RequestProblem[];

  constructor(refusal: RefusalFields) {
    super("bad-request", refusal.message);
    this.status = refusal.status;
    this.contentType = refusal.contentType;
    this.body = refusal.body;
    this.problems = refusal.problems;
  }

  /** Returns the response of the protocol's own server. */
  toResponse(headers: HeadersLike = {}): Response {
    const all = new Headers(headers);
    all.set("content-type", this.contentType);
    return new Response(this.body, { status: this.status, headers: all });
  }
}

type RefusalFields = Pick<RequestError, "status" | "contentType" | "body" | "message" | "problems">;

/**
 * Parses the result of the core: a list that starts with the request, or a refusal, which is
 * thrown.
 */
export function accepted(json: string): readonly unknown[] {
  const result = parseJson(json);
  if (Array.isArray(result)) {
    return result;
  }
  throw errorOf(result as unknown as CoreRefusal);
}

/** Returns the problems for the JSON of the core. */
export function problemsOf(json: string): RequestProblem[] {
  return (parseJson(json) as unknown as CoreProblem[]).map(problemOf);
}

/** Returns the problems for which a request is rejected; an empty list if it is accepted. */
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

/** A problem in the JSON of the core. */
interface CoreProblem extends Omit<RequestProblem, "actual"> {
  readonly got: Json;
}

interface CoreRefusal extends Omit<RefusalFields, "problems"> {
  readonly problems: readonly CoreProblem[];
}

function problemOf({ got, ...problem }: CoreProblem): RequestProblem {
  return { ...problem, actual: got };
}

/** Returns the error for a refusal of the core. */
export function refusalFromJson(json: string): RequestError {
  return errorOf(parseJson(json) as unknown as CoreRefusal);
}

function errorOf({ problems, ...refusal }: CoreRefusal): RequestError {
  return new RequestError({ ...refusal, problems: problems.map(problemOf) });
}
