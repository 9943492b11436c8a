// What is wrong with a request to an agent, whatever its protocol.

import type { Json } from "./agentwire.js";
import { AgentwireError } from "./errors.js";
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
  /** What is there instead. */
  readonly got: Json;
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
  throw new RequestError(result as unknown as Refusal);
}
