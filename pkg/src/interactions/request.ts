// Parses, validates and converts requests of Gemini Interactions.

import type { CreateInteraction } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { resumable } from "./resumable.js";

/** The functions for requests of Gemini Interactions. */
export const REQUESTS = /* @__PURE__ */ requestTools<CreateInteraction>(
  "parseInteractionsRequest",
  "validateInteractionsRequest",
  {
    model: {
      url: "https://generativelanguage.googleapis.com/v1beta",
      path: () => "/interactions",
      headers: (key) => (key === undefined ? {} : { "x-goog-api-key": key }),
      streamed: (request) => ({ ...request, stream: true }),
      continued: resumable,
    },
  },
);
