// Parses and validates requests of the Agent API.

import type { AgentRequest } from "../agentwire.js";
import { jsonText } from "../emit/options.js";
import { accepted, problemsOf } from "../request.js";
import type { RequestTools } from "../request_tools.js";
import { toolkit } from "../wasm.js";

/** The functions for requests of the Agent API. */
export const REQUESTS: RequestTools<AgentRequest> = {
  parse: (body) => accepted(toolkit().call("parseAgentRequest", body))[0] as AgentRequest,
  validate: (request) => problemsOf(toolkit().call("validateAgentRequest", jsonText(request))),
  toAgentRequest: (request) => ({ request, losses: [] }),
  fromAgentRequest: (request) => ({ request, losses: [] }),
};
