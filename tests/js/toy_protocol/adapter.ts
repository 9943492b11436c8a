// The toy at a path.

import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { REQUESTS } from "./request.js";

/** The toy: `/toy` by default. */
export function toyAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/toy",
    protocol: "toy" as never,
    convertRequest: REQUESTS.parse,
    ...definition,
  });
}
