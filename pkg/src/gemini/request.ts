// Parses, validates and converts requests of Gemini.

import type { GenerateContentRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { must } from "../core/errors.js";
import { segment } from "../http/address.js";

/** The functions for requests of Gemini. */
export const REQUESTS = /* @__PURE__ */ requestTools<GenerateContentRequest>(
  "parseGeminiRequest",
  "validateGeminiRequest",
  {
    model: {
      url: "https://generativelanguage.googleapis.com/v1beta",
      path(model) {
        must(
          model !== undefined && model !== "",
          "wrong-option",
          "Gemini needs the option `model`, which is part of the address",
        );
        return `/models/${segment("the name of the model", model.replace(/^models\//, ""))}:streamGenerateContent`;
      },
      query: { alt: "sse" },
      headers: (key) => (key === undefined ? {} : { "x-goog-api-key": key }),
      // The model is part of the address, and so is the form of the response.
      streamed: ({ model: _, ...request }) => request,
    },
  },
);
