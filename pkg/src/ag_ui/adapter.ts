// AG-UI at a path.

import { type Adapter, type AdapterDefinition, defineAdapter } from "../convert/adapter.js";
import { REQUESTS } from "./request.js";

/**
 * AG-UI: `/ag-ui`, unless it is said otherwise. The run has the client's names for it and its thread. What the client shares
 * and the Agent API has no place for is in the request under AG-UI's names: `state`, `context`, `forwardedProps`.
 *
 * It can share a path with another protocol, whose requests are not told by `threadId` and `runId`:
 * `createHandler({ adapters: [agKitAdapter(), agUiAdapter({ path: "/send-message" })], agent })`.
 */
export function agUiAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter({
    path: "/ag-ui",
    protocol: "ag-ui",
    detect,
    convertRequest: (body) => REQUESTS.toAgentRequest(REQUESTS.parse(body)).request,
    options: ({ id }) => ({ responseId: id ?? undefined }),
    ...definition,
  });
}

function detect(body: string): boolean {
  try {
    const asked: unknown = JSON.parse(body);
    const has = (...names: string[]): boolean => names.some((name) => Object.hasOwn(Object(asked), name));
    return has("threadId", "thread_id") && has("runId", "run_id");
  } catch {
    return false;
  }
}
