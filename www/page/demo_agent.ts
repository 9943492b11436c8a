// The chat with the demo agent of the worker, in each protocol.

import { type AgentTools, type ConnectableProtocol, connect } from "agentwire";
import { workerUrl } from "./agent_address.js";
import { PATHS } from "./endpoints.js";

/** The agent of one conversation. */
export type DemoAgent = ReturnType<typeof demoAgent>;

/** The property of a request that selects the variant of the run. */
const VARIANT: Readonly<Record<ConnectableProtocol, (demo: string) => object>> = {
  "agent-api": (demo) => ({ biz_params: { demo } }),
  agentscope: (demo) => ({ demo }),
  "ag-kit": (demo) => ({ demo }),
  "ag-ui": (demo) => ({ forwardedProps: { demo } }),
  responses: (demo) => ({ metadata: { demo } }),
  a2a: (demo) => ({ metadata: { demo } }),
  "ai-sdk": (demo) => ({ metadata: { demo } }),
};

/** Members of a protocol's requests in addition to the conversation. */
const BODY: Partial<Record<ConnectableProtocol, object>> = {
  "agent-api": { user_id: "playground" },
  responses: { model: "demo" },
};

/** Returns an agent whose requests are sent by `fetch`. Agents of A2A have their own tools. */
export function demoAgent(
  protocol: ConnectableProtocol,
  variant: string,
  tools: AgentTools,
  fetch: (request: Request) => Promise<Response>,
) {
  return connect(workerUrl(PATHS[protocol]), {
    protocol,
    fetch,
    body: { ...BODY[protocol], ...(variant !== "" && VARIANT[protocol](variant)) },
    ...(protocol !== "a2a" && { tools }),
    // The worker does not store the responses of this conversation.
    ...(protocol === "responses" && { store: false }),
  } as { readonly protocol: ConnectableProtocol });
}
