// Parses, validates and converts requests of the AI SDK.

import type { AiSdkRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";

/** The functions for requests of the AI SDK. */
export const REQUESTS = /* @__PURE__ */ requestTools<AiSdkRequest>(
  "parseUiRequest",
  "validateUiRequest",
);
