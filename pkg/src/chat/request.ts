// Parses, validates and converts requests of OpenAI Chat Completions.

import type { ChatCompletion, ChatRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { bearer } from "../http/headers.js";
import { submitToolResults } from "./create_request.js";

/** The functions for requests of Chat Completions. */
export const REQUESTS = /* @__PURE__ */ requestTools<ChatRequest>("parseChatRequest", "validateChatRequest", "chatRequestToAgentRequest", "toChatRequest", {
  model: {
    url: "https://api.openai.com/v1",
    path: () => "/chat/completions",
    headers: bearer,
    streamed: (request) => ({ ...request, stream: true, stream_options: { include_usage: true } }),
    calls: ({ choices: [choice] }: ChatCompletion) => choice?.message.tool_calls ?? [],
    callId: "id",
    submitToolResults,
  },
});
