// AG-Kit at a path.

import { toAgentRequest } from "../agent_api/convert_request.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../convert/adapter.js";
import { parseSendMessageInput } from "./request.js";

/** AG-Kit: `/send-message`, unless it is said otherwise. */
export function agKitAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/send-message",
    protocol: "ag-kit",
    convertRequest: (body) => toAgentRequest(parseSendMessageInput(body)).request,
    ...definition,
  });
}
