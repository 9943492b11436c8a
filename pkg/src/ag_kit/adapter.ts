// AG-Kit at a path.

import { type Adapter, type AdapterDefinition, defineAdapter } from "../convert/adapter.js";
import { REQUESTS } from "./request.js";

/** AG-Kit: `/send-message`, unless it is said otherwise. */
export function agKitAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/send-message",
    protocol: "ag-kit",
    convertRequest: (body) => REQUESTS.toAgentRequest(REQUESTS.parse(body)).request,
    ...definition,
  });
}
