// A2A requests: reading them on a server.

import type { A2aSendMessageRequest, AgentRequest, Json } from "../agentwire.js";
import { check } from "../arguments.js";
import { type ConvertedRequest, converted } from "../convert/request.js";
import { jsonOf } from "../emit/options.js";
import { accepted } from "../request.js";
import { toolkit } from "../wasm.js";

/**
 * Reads the parameters of `SendMessage` in the form of 1.0. Throws a `RequestError`.
 *
 * A server has no need of it: `a2aAdapter` reads JSON-RPC and REST, 0.3 and 1.0.
 */
export function parseSendMessageRequest(body: string): A2aSendMessageRequest {
  check("parseSendMessageRequest", { body: "string" }, [body]);
  return accepted(toolkit().call("parseSendMessageRequest", body))[0] as A2aSendMessageRequest;
}

/**
 * The parameters of `SendMessage` that ask the same as an Agent API request. Throws a `RequestError` if it is none.
 *
 * A2A's servers keep the conversation: only what is after the agent's last message is sent.
 */
export function toSendMessageRequest(request: AgentRequest): ConvertedRequest<A2aSendMessageRequest> {
  check("toSendMessageRequest", { request: "object" }, [request]);
  return converted(toolkit().call("toSendMessageRequest", jsonOf(request as Json)));
}
