// The adapter of AgentScope.

import { asAgentRequest } from "../convert/request.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { textIn } from "../server/conversation_id.js";
import { REQUESTS } from "./request.js";

/**
 * Creates an adapter that serves AgentScope. The path is `/chat/` by default. The stream is the
 * response to the request: clients of AgentScope's own service read it from another address.
 */
export function agentScopeAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/chat/",
    protocol: "agentscope",
    conversation: (body) => textIn(body, "session_id"),
    convertRequest: (body) => asAgentRequest("agentscope", REQUESTS.parse(body)),
    ...definition,
  });
}
