// The protocols that the worker speaks, each at its usual path, with the same agent behind all of them.

import {
  type Adapter,
  type AgentRequest,
  type RespondOptions,
  a2aAdapter,
  agKitAdapter,
  agUiAdapter,
  agentApiAdapter,
  mount,
  parseSendMessageInput,
  responsesAdapter,
  toAgentRequest,
} from "agentwire";
import { askOf } from "./ask.js";
import { demoAgent } from "./demo_agent.js";
import { counted } from "./run_counts.js";

/** How every answer is written. */
const options = (request: AgentRequest): RespondOptions => ({
  responseId: request.id ?? undefined,
  // As the runtime announces a response.
  nullOutput: true,
  heartbeat: askOf(request).heartbeat,
});

/**
 * The Agent API. The runtime refuses a second request with the same user and session while one runs; this worker does not,
 * because its agent keeps nothing that two runs could get into each other's way at.
 */
const agentApi = agentApiAdapter({ options });

/** AG-Kit. What a request may say about the run stands in `demo`, which the protocol does not have. */
const agKit = agKitAdapter({
  options,
  convertRequest(body) {
    const { request } = toAgentRequest(parseSendMessageInput(body));
    const { demo } = JSON.parse(body) as { demo?: AgentRequest["biz_params"] };
    return demo === undefined ? request : { ...request, biz_params: { demo } };
  },
});

/** AG-UI, and the same at AG-Kit's path, where later AG-Kit servers speak it: a request that is AG-UI's is answered so. */
const agUi = agUiAdapter({ options });
const agUiOfAgKit = agUiAdapter({ path: agKit.path, options });

/**
 * OpenAI Responses, at its own path and at that of AgentScope's runtime. Nothing is kept: an answer can be got once. What a
 * request may say about the run stands in its `metadata`, whose values are texts.
 */
const responses = ["/v1/responses", "/compatible-mode/v1/responses"].map((path) => responsesAdapter({ path, options }));

/** A2A. Tasks are kept by the instance that they began in. What a request may say about the run stands in `metadata.demo`. */
const a2a = a2aAdapter({
  name: "agentwire demo",
  description: "Knows the weather, says again what you say, and deletes all files if you let it.",
  options: (request) => ({ heartbeat: askOf(request).heartbeat }),
});

const ADAPTERS: readonly Adapter[] = [agentApi, agKit, agUi, agUiOfAgKit, ...responses, a2a];

/** Whether a protocol is spoken at a path. */
export function isSpokenAt(pathname: string): boolean {
  return ADAPTERS.some(({ path, handles, below }) => path === pathname || handles?.(pathname) || (below && pathname.startsWith(`${path}/`)));
}

/** Answers at these paths. */
export const protocols = mount(ADAPTERS, (out, request) => counted(out.signal, () => demoAgent(out, askOf(request))));
