// Parses, validates and converts requests of AG-UI.

import type { RunAgentInput } from "../agentwire.js";
import { requestTools } from "../convert/request.js";

/** The functions for requests of AG-UI. */
export const REQUESTS = /* @__PURE__ */ requestTools<RunAgentInput>(
  "parseRunAgentInput",
  "validateRunAgentInput",
);
