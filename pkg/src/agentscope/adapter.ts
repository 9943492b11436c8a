// The adapter of AgentScope.

import { asAgentRequest } from "../convert/request.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { textIn } from "../server/conversation_id.js";
import { REQUESTS } from "./request.js";

/** The replies that requests continue: the answers to questions and calls have the id of theirs. */
const CONTINUED = new WeakMap<Request, string>();

/**
 * Creates an adapter that serves AgentScope. The path is `/chat/` by default. The stream is the
 * response to a request that accepts one. With a store, requests that accept no stream only start
 * the reply, whose events are those of its session, as in AgentScope's own service.
 */
export function agentScopeAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/chat/",
    protocol: "agentscope",
    conversation: (body) => textIn(body, "session_id"),
    convertRequest(body, http) {
      const request = REQUESTS.parse(body);
      const reply = [request.input].flat().map((value) => Object(value).reply_id);
      const [continued] = reply.filter((id) => typeof id === "string" && id !== "");
      if (continued !== undefined) {
        CONTINUED.set(http, continued);
      }
      return asAgentRequest("agentscope", request);
    },
    options: (_, http) => ({ responseId: CONTINUED.get(http) }),
    ...definition,
  });
}
