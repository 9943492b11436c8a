// The adapter of the Agent API.

import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { textIn } from "../server/conversation_id.js";
import { REQUESTS } from "./request.js";

/** Creates an adapter that serves the Agent API. The path is `/process` by default. */
export function agentApiAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/process",
    protocol: "agent-api",
    conversation(body) {
      const [session, user] = [textIn(body, "session_id"), textIn(body, "user_id")];
      return session === undefined || user === undefined ? session : [session, user];
    },
    convertRequest: REQUESTS.parse,
    options: ({ id }) => ({ responseId: id ?? undefined }),
    ...definition,
  });
}
