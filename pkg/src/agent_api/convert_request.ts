// The Agent API request for one of another protocol.

import type { AgentRequest, Json, SendMessageInput } from "../agentwire.js";
import { check } from "../arguments.js";
import { type ConvertedRequest, converted } from "../convert/request.js";
import { jsonOf } from "../emit/options.js";
import { toolkit } from "../wasm.js";

/**
 * The Agent API request that asks the same as an AG-Kit one. Throws a `RequestError` if it is none.
 *
 * Tool messages become outputs, a resume becomes the answer to an approval request, tools become functions.
 */
export function toAgentRequest(input: SendMessageInput): ConvertedRequest<AgentRequest> {
  check("toAgentRequest", { input: "object" }, [input]);
  return converted(toolkit().call("toAgentRequest", jsonOf(input as unknown as Json)));
}
