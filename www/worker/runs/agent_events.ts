// The demo agent as the source of a run's events.

import { convertRequest, events, type Json, stringifyJson } from "agentwire";
import { type AgentWriter, Conversation, parseRequest, respond } from "agentwire/server";
import type { RunAgent } from "agentwire/runs/server";
import { type Ask, askOf } from "../ask.js";
import { demoAgent } from "../demo_agent.js";
import type { RunsEnv } from "./env.js";

/** The demo agent. */
export const demoEvents: RunAgent<RunsEnv> = async function* (
  input,
  { history, user, env, signal },
) {
  const { threadId: sessionId, runId: responseId, forwardedProps } = input;
  const received = { ...input, messages: history } as unknown as Json;
  const { request } = convertRequest(parseRequest("ag-ui", stringifyJson(received)), {
    from: "ag-ui",
    to: "agent-api",
  });
  // AG-UI has no parameter for the options of the run: they are in the state.
  const { demo } = Object(input.state) as { demo?: Json };
  const ask = askOf(
    new Conversation({ ...request, ...(demo !== undefined && { biz_params: { demo } }) }, { user }),
  );
  const agent = forwardedProps.runtime_mode === "chat" ? runStages : demoAgent;
  const answer = respond(
    { signal },
    { protocol: "ag-ui", sessionId, responseId, heartbeatMs: 0, env },
    (out) => agent(out, ask),
  );
  for await (const entry of events(answer.body!, { protocol: "ag-ui" })) {
    if (entry.kind === "event") {
      yield stringifyJson(withHints(entry.event as unknown as { readonly [key: string]: Json }));
    }
  }
};

/** Runs in two stages: a router, which has only one choice here, and a worker. */
async function runStages(out: AgentWriter, ask: Ask): Promise<void> {
  await out.step("router").complete();
  const worker = out.step("worker");
  await demoAgent(out, ask);
  if (!out.ended) {
    await worker.complete();
  }
}

/**
 * Adds metadata for the history: suggestions for the next message, and the form of a tool's result.
 */
function withHints(event: { readonly [key: string]: Json }): Json {
  const hints = {
    TEXT_MESSAGE_END: { suggested_actions: ACTIONS },
    TOOL_CALL_RESULT: { tool_agent_output: { ui_hints: CARD } },
  };
  const more = hints[event.type as keyof typeof hints];
  return more === undefined
    ? event
    : { ...event, metadata: { ...Object(event.metadata ?? {}), ...more } };
}

const ACTIONS: Json = ["Compare Paris and Tokyo", "Tell me a long story"];
const CARD: Json = { type: "card", title: "city", rows: ["celsius", "sky", "humidity", "wind"] };
