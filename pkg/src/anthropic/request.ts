// Parses, validates and converts requests of Anthropic Messages.

import type { AnthropicMessage, MessagesRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { submitToolResults } from "./create_request.js";

/** The functions for requests of Anthropic Messages. */
export const REQUESTS = /* @__PURE__ */ requestTools<MessagesRequest>("parseMessagesRequest", "validateMessagesRequest", "messagesRequestToAgentRequest", "toMessagesRequest", {
  model: {
    url: "https://api.anthropic.com",
    path: () => "/v1/messages",
    headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) }),
    streamed: (request) => ({ ...request, stream: true }),
    calls: ({ content }: AnthropicMessage) => content.filter(({ type }) => type === "tool_use"),
    callId: "id",
    submitToolResults,
  },
});
