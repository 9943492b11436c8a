// Parses, validates and converts requests of Gemini.

import type { GenerateContentRequest } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { accepted, problemsOf } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";

/** The functions for requests of Gemini. */
export const REQUESTS: RequestTools<GenerateContentRequest> = {
  parse: (body) => accepted(toolkit().call("parseGeminiRequest", body))[0] as GenerateContentRequest,
  validate: (request) => problemsOf(toolkit().call("validateGeminiRequest", jsonText(request))),
  toAgentRequest: (request) => converted(toolkit().call("geminiRequestToAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toGeminiRequest", jsonText(request))),
};
