// The protocols of the worker, each at its usual path, with the same agent.

import { convertRequest } from "agentwire";
import {
  a2aAdapter,
  type Adapter,
  agentApiAdapter,
  type AgentFunction,
  type AgentRequest,
  agentScopeAdapter,
  agKitAdapter,
  agUiAdapter,
  aiSdkAdapter,
  anthropicAdapter,
  chatAdapter,
  conversationOf,
  parseRequest,
  type RespondOptions,
  responsesAdapter,
} from "agentwire/server";
import { askOf } from "./ask.js";
import { demoAgent } from "./demo_agent.js";
import { type ModelEnv, configuredModel, fakeModelOptions, modelAgent } from "./model.js";
import { A2A, RESPONSES, isModels } from "./paths.js";
import { counted } from "./health.js";

/** The options of every answer. */
const options = (request: AgentRequest): Partial<RespondOptions> => ({
  responseId: request.id ?? undefined,
  // The runtime sends `output: null` when it announces a response, too.
  nullOutput: true,
  heartbeatMs: askOf(conversationOf("agent-api", request)).heartbeat,
});

/** The Agent API. */
const agentApi = agentApiAdapter({ options });

/**
 * Returns the request of a body whose options of the run are in `demo`, which is an extension of
 * its protocol.
 */
function withDemo(protocol: "agentscope" | "ag-kit" | "ai-sdk", body: string): AgentRequest {
  const { request } = convertRequest(parseRequest(protocol, body), {
    from: protocol,
    to: "agent-api",
  });
  const { demo } = JSON.parse(body) as { demo?: AgentRequest["biz_params"] };
  return demo === undefined ? request : { ...request, biz_params: { demo } };
}

/** AgentScope. */
const agentScope = agentScopeAdapter({
  options,
  convertRequest: (body) => withDemo("agentscope", body),
});

/** AG-Kit. */
const agKit = agKitAdapter({ options, convertRequest: (body) => withDemo("ag-kit", body) });

/** The AI SDK, whose requests have the whole conversation. */
const aiSdk = aiSdkAdapter({ options, convertRequest: (body) => withDemo("ai-sdk", body) });

/**
 * AG-UI, also at AG-Kit's path, where later AG-Kit servers use it: an AG-UI request gets an AG-UI
 * answer.
 */
const agUi = agUiAdapter({ options });
const agUiOfAgKit = agUiAdapter({ path: agKit.path, options });

/** Responses. Options of the run are in `metadata`, whose values are texts. */
const responses = RESPONSES.map((path) => responsesAdapter({ path, options }));

/** The APIs of models: the agent as a model. */
const models = [chatAdapter({ options }), anthropicAdapter({ options })];

/** A2A. Options of the run are in `metadata.demo`. */
const a2a = a2aAdapter({
  path: A2A,
  name: "agentwire demo",
  description: "Knows the weather, says again what you say, and deletes all files if you let it.",
  options: (request) => ({ heartbeatMs: askOf(conversationOf("agent-api", request)).heartbeat }),
});

/** The agent: with the configured model, or scripted, which asks a fake model for one variant. */
export const protocolAgent: AgentFunction = (out, request, { env }) =>
  counted(out.signal, () => {
    const ask = askOf(request);
    const model =
      configuredModel((env ?? {}) as ModelEnv) ??
      (ask.variant === "model" ? fakeModelOptions(ask.text, ask.delay) : undefined);
    return model === undefined ? demoAgent(out, ask) : modelAgent(out, request, model);
  });

/** The adapters of the protocols. */
export const ADAPTERS: readonly Adapter[] = [
  agentApi,
  agentScope,
  agKit,
  agUi,
  agUiOfAgKit,
  ...responses,
  ...models,
  a2a,
  aiSdk,
];

/** Returns whether a protocol has an endpoint at a path. */
export function hasEndpoint(pathname: string): boolean {
  return (
    isModels(pathname) ||
    ADAPTERS.some(({ path, handles }) => path === pathname || handles?.(pathname))
  );
}
