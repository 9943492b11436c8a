// The Agent API request for one of another protocol.

import type { A2aSendMessageRequest, AgentRequest, Json, RunAgentInput, SendMessageInput } from "../agentwire.js";
import { check } from "../arguments.js";
import { type ConvertedRequest, converted } from "../convert/request.js";
import { jsonOf } from "../emit/options.js";
import { toolkit } from "../wasm.js";

/**
 * The Agent API request that asks the same as an AG-Kit or AG-UI one, which has a thread and a run, or as the parameters of A2A's
 * `SendMessage`. Throws a `RequestError`
 * if it is none.
 *
 * Tool messages become outputs, a resume becomes the answer to an approval request, tools become functions. `state`, `context`,
 * `forwardedProps` and `parentRunId` stay under these names, the run becomes the `id`.
 */
export function toAgentRequest(input: SendMessageInput | RunAgentInput | A2aSendMessageRequest): ConvertedRequest<AgentRequest> {
  check("toAgentRequest", { input: "object" }, [input]);
  const json = jsonOf(input as unknown as Json);
  if ("message" in input) {
    return converted(toolkit().call("sendMessageRequestToAgentRequest", json));
  }
  return converted(toolkit().call("threadId" in input ? "runAgentInputToAgentRequest" : "toAgentRequest", json));
}
