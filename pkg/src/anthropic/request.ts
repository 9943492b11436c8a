// Parses, validates and converts requests of Anthropic Messages.

import type { MessagesRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";

/** The functions for requests of Anthropic Messages. */
export const REQUESTS = /* @__PURE__ */ requestTools<MessagesRequest>(
  "parseMessagesRequest",
  "validateMessagesRequest",
  {
    model: {
      url: "https://api.anthropic.com",
      path: () => "/v1/messages",
      headers: (key) => ({
        "anthropic-version": "2023-06-01",
        ...(key !== undefined && { "x-api-key": key }),
      }),
      streamed: (request) => ({ ...request, stream: true }),
    },
  },
);
