// Requests of the toy, which are those of the Agent API.

import type { AgentRequest } from "../agentwire.js";
import { REQUESTS as AGENT_API } from "../agent_api/request.js";
import type { RequestTools } from "../convert/request.js";

/** The functions for requests of the toy. */
export const REQUESTS: RequestTools<AgentRequest> = AGENT_API;
