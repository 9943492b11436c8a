// Parses, validates and converts requests of OpenAI Chat Completions.

import type { ChatRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { bearer } from "../http/headers.js";

/** The functions for requests of Chat Completions. */
export const REQUESTS = /* @__PURE__ */ requestTools<ChatRequest>(
  "parseChatRequest",
  "validateChatRequest",
  {
    model: {
      url: "https://api.openai.com/v1",
      path: () => "/chat/completions",
      headers: bearer,
      streamed: (request) => ({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      }),
    },
  },
);
