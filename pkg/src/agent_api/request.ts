// Agent API requests: reading them on a server, checking them before they are sent.

import type { AgentRequest, Json } from "../agentwire.js";
import { check } from "../arguments.js";
import { jsonOf } from "../emit/options.js";
import { parseJson } from "../json.js";
import { type RequestProblem, accepted } from "../request.js";
import { toolkit } from "../wasm.js";

/**
 * Reads the body of a request. Numbers and booleans in strings are taken as such, members that are not declared stay,
 * integers beyond 2^53 are `bigint`. Throws a `RequestError` that names everything that is wrong.
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

/** What a server would refuse in a request, or misunderstand; empty when it can be sent. */
export function validateAgentRequest(request: AgentRequest): RequestProblem[] {
  check("validateAgentRequest", { request: "object" }, [request]);
  return parseJson(toolkit().call("validateAgentRequest", jsonOf(request as Json))) as unknown as RequestProblem[];
}
