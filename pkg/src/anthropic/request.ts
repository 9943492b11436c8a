// Parses, validates and converts requests of Anthropic Messages.

import type { MessagesRequest } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { accepted, problemsOf } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { submitToolResults } from "./create_request.js";

/** The functions for requests of Anthropic Messages. */
export const REQUESTS: RequestTools<MessagesRequest> = {
  parse: (body) => accepted(toolkit().call("parseMessagesRequest", body))[0] as MessagesRequest,
  validate: (request) => problemsOf(toolkit().call("validateMessagesRequest", jsonText(request))),
  toAgentRequest: (request) => converted(toolkit().call("messagesRequestToAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toMessagesRequest", jsonText(request))),
  model: {
    url: "https://api.anthropic.com",
    path: () => "/v1/messages",
    headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) }),
    streamed: (request) => ({ ...request, stream: true }),
    submitToolResults,
  },
};
