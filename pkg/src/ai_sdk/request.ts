// Parses, validates and converts requests of the AI SDK.

import type { AiSdkRequest } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { accepted, problemsOf } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";

/** The functions for requests of the AI SDK. */
export const REQUESTS: RequestTools<AiSdkRequest> = {
  parse: (body) => accepted(toolkit().call("parseUiRequest", body))[0] as AiSdkRequest,
  validate: (request) => problemsOf(toolkit().call("validateUiRequest", jsonText(request))),
  toAgentRequest: (request) => converted(toolkit().call("uiRequestToAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toUiRequest", jsonText(request))),
};
