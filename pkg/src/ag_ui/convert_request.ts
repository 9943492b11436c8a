// The AG-UI request for one of another protocol.

import type { AgentRequest, Json, RunAgentInput } from "../agentwire.js";
import { check } from "../arguments.js";
import { type ConvertedRequest, converted } from "../convert/request.js";
import { jsonOf } from "../emit/options.js";
import { toolkit } from "../wasm.js";

/**
 * The AG-UI request that asks the same as an Agent API one: the whole thread, with a new thread or run where it names none.
 * Throws a `RequestError` if it is none.
 */
export function toRunAgentInput(request: AgentRequest): ConvertedRequest<RunAgentInput> {
  check("toRunAgentInput", { request: "object" }, [request]);
  return converted(toolkit().call("toRunAgentInput", jsonOf(request as Json)));
}
