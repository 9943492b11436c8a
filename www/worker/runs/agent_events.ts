// The demo agent as the source of a run's events.

import { convertRequest, events, type Json, stringifyJson } from "agentwire";
import { type AgentWriter, parseRequest, respond } from "agentwire/server";
import { type Ask, askOf } from "../ask.js";
import { demoAgent } from "../demo_agent.js";
import type { RunsEnv } from "./env.js";

/** A run, as an agent receives it. */
export interface AgentRun {
  /** The request: AG-UI's `RunAgentInput`, whose messages are those of the thread up to now. */
  readonly input: Json;
  /** The user whose thread it is. */
  readonly user: string;
  /** The bindings of the deployment: models, keys. */
  readonly env: RunsEnv;
  /** Aborts when the run must stop. */
  readonly signal: AbortSignal;
}

/** An agent: the events of a run, as JSON, from the first to the terminal one. */
export type RunAgent = (run: AgentRun) => AsyncIterable<string>;

/** The demo agent. */
export const demoEvents: RunAgent = async function* ({ input, user, env, signal }) {
  const { threadId: sessionId, runId: responseId, state, forwardedProps } = input as { readonly [name: string]: Json } & { readonly threadId: string; readonly runId: string };
  const { request } = convertRequest(parseRequest("ag-ui", stringifyJson(input)), { from: "ag-ui", to: "agent-api" });
  // AG-UI has no parameter for the options of the run: they are in the state.
  const { demo } = Object(state) as { demo?: Json };
  const { runtime_mode } = Object(forwardedProps) as { runtime_mode?: Json };
  const ask = askOf({ ...request, user_id: user, ...(demo !== undefined && { biz_params: { demo } }) });
  const agent = runtime_mode === "chat" ? routed : demoAgent;
  const answer = respond({ signal }, { protocol: "ag-ui", sessionId, responseId, heartbeatMs: 0, env }, (out) => agent(out, ask));
  for await (const entry of events(answer.body!, { protocol: "ag-ui" })) {
    if (entry.kind === "event") {
      yield stringifyJson(withHints(entry.event as unknown as { readonly [key: string]: Json }));
    }
  }
};

/** Runs in two stages: a router, which has only one choice here, and a worker. */
async function routed(out: AgentWriter, ask: Ask): Promise<void> {
  await out.step("router").complete();
  const worker = out.step("worker");
  await demoAgent(out, ask);
  if (!out.ended) {
    await worker.complete();
  }
}

/** Adds metadata for the history: suggestions for the next message, and the form of a tool's result. */
function withHints(event: { readonly [key: string]: Json }): Json {
  const hints = { TEXT_MESSAGE_END: { suggested_actions: ACTIONS }, TOOL_CALL_RESULT: { tool_agent_output: { ui_hints: CARD } } };
  const more = hints[event.type as keyof typeof hints];
  return more === undefined ? event : { ...event, metadata: { ...Object(event.metadata ?? {}), ...more } };
}

const ACTIONS: Json = ["Compare Paris and Tokyo", "Tell me a long story"];
const CARD: Json = { type: "card", title: "city", rows: ["celsius", "sky", "humidity", "wind"] };
