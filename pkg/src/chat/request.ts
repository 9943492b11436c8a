// Parses, validates and converts requests of OpenAI Chat Completions.

import type { ChatRequest } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { bearer } from "../http/headers.js";
import { accepted, problemsOf } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { submitToolResults } from "./create_request.js";

/** The functions for requests of Chat Completions. */
export const REQUESTS: RequestTools<ChatRequest> = {
  parse: (body) => accepted(toolkit().call("parseChatRequest", body))[0] as ChatRequest,
  validate: (request) => problemsOf(toolkit().call("validateChatRequest", jsonText(request))),
  toAgentRequest: (request) => converted(toolkit().call("chatRequestToAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toChatRequest", jsonText(request))),
  model: {
    url: "https://api.openai.com/v1",
    path: () => "/chat/completions",
    headers: bearer,
    streamed: (request) => ({ ...request, stream: true, stream_options: { include_usage: true } }),
    submitToolResults,
  },
};
