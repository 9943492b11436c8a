// Requests to an agent: reading them on a server, checking them before they are sent.

import type { AgentRequest, Json } from "./agentwire.js";
import { check } from "./arguments.js";
import { jsonOf } from "./emit/options.js";
import { AgentwireError } from "./errors.js";
import { parseJson } from "./json.js";
import { toolkit } from "./wasm.js";

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
   * Agent API: 422 for a body that is no JSON object, otherwise 200 with one error frame. AG-Kit: 422. Both: 413 for one
   * that is too long. Of `readBody`: 413, 408 or 400.
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
  toResponse(headers: HeadersInit = {}): Response {
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

/**
 * Reads the body of a request. Numbers and booleans in strings are taken as such, members that are not declared stay,
 * integers beyond 2^53 are `bigint`. Throws a {@link RequestError} that names everything that is wrong.
 *
 * ```js
 * try {
 *   ask = parseAgentRequest(await readBody(request));
 * } catch (error) {
 *   return error.toResponse();
 * }
 * ```
 */
export function parseAgentRequest(body: string): AgentRequest {
  check("parseAgentRequest", { body: "string" }, [body]);
  return accepted(toolkit().call("parseAgentRequest", body))[0] as AgentRequest;
}

/** What the core has read: a list that begins with the request, or the refusal, which is thrown. */
export function accepted(json: string): readonly unknown[] {
  const result = parseJson(json);
  if (Array.isArray(result)) {
    return result;
  }
  throw new RequestError(result as unknown as Refusal);
}

/** What a server would refuse in a request, or misunderstand; empty when it can be sent. */
export function validateAgentRequest(request: AgentRequest): RequestProblem[] {
  check("validateAgentRequest", { request: "object" }, [request]);
  return parseJson(toolkit().call("validateAgentRequest", jsonOf(request as Json))) as unknown as RequestProblem[];
}
