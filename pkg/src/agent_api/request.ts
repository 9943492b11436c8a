// Parses and validates requests of the Agent API.

import type { AgentRequest } from "../agentwire.js";
import { jsonText } from "../core/json.js";
import { accepted, problemsOf } from "../http/request.js";
import type { RequestTools } from "../convert/request.js";
import { toolkit } from "../core/wasm.js";

/** The functions for requests of the Agent API. */
export const REQUESTS: RequestTools<AgentRequest> = {
  parse: (body) => accepted(toolkit().call("parseAgentRequest", body))[0] as AgentRequest,
  validate: (request) => problemsOf(toolkit().call("validateAgentRequest", jsonText(request))),
};
