// The same question in another protocol.

import type { AgentRequest, Json, SendMessageInput } from "../agentwire.js";
import { check } from "../arguments.js";
import { jsonOf } from "../emit/options.js";
import { accepted } from "../request.js";
import { toolkit } from "../wasm.js";
import type { Loss } from "./converter.js";

/** A request, and what it could not carry. */
export interface ConvertedRequest<Request> {
  readonly request: Request;
  readonly losses: readonly Loss[];
}

/**
 * The Agent API request that asks the same as an AG-Kit one. Throws a `RequestError` if it is none.
 *
 * Tool messages become outputs, a resume becomes the answer to an approval request, tools become functions.
 */
export function toAgentRequest(input: SendMessageInput): ConvertedRequest<AgentRequest> {
  check("toAgentRequest", { input: "object" }, [input]);
  return converted(toolkit().call("toAgentRequest", jsonOf(input as unknown as Json)));
}

/**
 * The AG-Kit request that asks the same as an Agent API one. Throws a `RequestError` if it is none.
 *
 * AG-Kit's servers keep the conversation: only what is after the agent's last message is sent.
 */
export function toSendMessageInput(request: AgentRequest): ConvertedRequest<SendMessageInput> {
  check("toSendMessageInput", { request: "object" }, [request]);
  return converted(toolkit().call("toSendMessageInput", jsonOf(request as Json)));
}

/** The core gives `[request, losses]`, or a refusal. */
function converted<Request>(json: string): ConvertedRequest<Request> {
  const [request, { losses }] = accepted(json) as [Request, { losses: readonly Loss[] }];
  return { request, losses };
}
