// The adapter of AG-Kit.

import { asAgentRequest } from "../convert/request.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { textIn } from "../server/conversation_id.js";
import { REQUESTS } from "./request.js";

/** Creates an adapter that serves AG-Kit. The path is `/send-message` by default. */
export function agKitAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/send-message",
    protocol: "ag-kit",
    conversation: (body) => textIn(body, "conversationId"),
    convertRequest: (body) => asAgentRequest("ag-kit", REQUESTS.parse(body)),
    ...definition,
  });
}
