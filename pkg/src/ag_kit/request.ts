// Parses, validates and converts requests of AG-Kit.

import type { SendMessageInput } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { accepted, problemsOf } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";

/** The functions for requests of AG-Kit. */
export const REQUESTS: RequestTools<SendMessageInput> = {
  parse: (body) => accepted(toolkit().call("parseSendMessageInput", body))[0] as SendMessageInput,
  validate: (request) => problemsOf(toolkit().call("validateSendMessageInput", jsonText(request))),
  toAgentRequest: (request) => converted(toolkit().call("toAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toSendMessageInput", jsonText(request))),
};
