// The Agent API at a path.

import { type Adapter, type AdapterDefinition, defineAdapter } from "../convert/adapter.js";
import { REQUESTS } from "./request.js";

/** The Agent API: `/process`, unless it is said otherwise. */
export function agentApiAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/process",
    protocol: "agent-api",
    convertRequest: REQUESTS.parse,
    options: ({ id }) => ({ responseId: id ?? undefined }),
    ...definition,
  });
}
