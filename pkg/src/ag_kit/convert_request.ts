// The AG-Kit request for one of another protocol.

import type { AgentRequest, Json, SendMessageInput } from "../agentwire.js";
import { check } from "../arguments.js";
import { type ConvertedRequest, converted } from "../convert/request.js";
import { jsonOf } from "../emit/options.js";
import { toolkit } from "../wasm.js";

/**
 * The AG-Kit request that asks the same as an Agent API one. Throws a `RequestError` if it is none.
 *
 * AG-Kit's servers keep the conversation: only what is after the agent's last message is sent.
 */
export function toSendMessageInput(request: AgentRequest): ConvertedRequest<SendMessageInput> {
  check("toSendMessageInput", { request: "object" }, [request]);
  return converted(toolkit().call("toSendMessageInput", jsonOf(request as Json)));
}
