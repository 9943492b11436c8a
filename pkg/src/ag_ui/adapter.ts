// The adapter of AG-UI.

import { asAgentRequest } from "../convert/request.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { REQUESTS } from "./request.js";

/**
 * Creates an adapter that serves AG-UI. The path is `/ag-ui` by default. The run and its thread
 * keep the ids of the client. Properties without a counterpart in the Agent API (`state`,
 * `context`, `forwardedProps`) are in the agent's request under their AG-UI names.
 *
 * The adapter can share a path with another protocol whose requests have no `threadId` and `runId`:
 * `createHandler({ adapters: [agKitAdapter(), agUiAdapter({ path: "/send-message" })], agent })`.
 */
export function agUiAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/ag-ui",
    protocol: "ag-ui",
    detect,
    convertRequest: (body) => asAgentRequest("ag-ui", REQUESTS.parse(body)),
    options: ({ id }) => ({ responseId: id ?? undefined }),
    ...definition,
  });
}

function detect(body: string): boolean {
  try {
    const input: unknown = JSON.parse(body);
    const has = (...names: string[]): boolean =>
      names.some((name) => Object.hasOwn(Object(input), name));
    return has("threadId", "thread_id") && has("runId", "run_id");
  } catch {
    return false;
  }
}
