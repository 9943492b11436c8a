// Parses, validates and converts requests of AgentScope.

import type { AgentScopeRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";

/** The functions for requests of AgentScope. */
export const REQUESTS = /* @__PURE__ */ requestTools<AgentScopeRequest>(
  "parseAgentScopeRequest",
  "validateAgentScopeRequest",
);
