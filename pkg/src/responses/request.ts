// Parses, validates and converts requests of OpenAI Responses.

import type { CreateResponse } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { bearer } from "../http/headers.js";

/** The functions for requests of OpenAI Responses. */
export const REQUESTS = /* @__PURE__ */ requestTools<CreateResponse>(
  "parseCreateResponse",
  "validateCreateResponse",
  {
    model: {
      url: "https://api.openai.com/v1",
      path: () => "/responses",
      headers: bearer,
      streamed: (request) => ({ ...request, stream: true }),
    },
  },
);
