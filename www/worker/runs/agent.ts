// The demo agent as that of the runs endpoints.

import { events, type Json, stringifyJson } from "agentwire";
import { type AgentFunction, type AgentWriter, Conversation, respond } from "agentwire/server";
import { type Ask, askOf } from "../ask.js";
import { demoAgent } from "../demo_agent.js";
import type { RunsEnv } from "./env.js";

/** The demo agent. What it writes is passed on with metadata for the history. */
export const runsAgent: AgentFunction<RunsEnv> = async (out, request, { user, env }) => {
  const { runtime_mode: mode } = Object(request.settings["forwardedProps"]) as {
    runtime_mode?: Json;
  };
  // AG-UI has no parameter for the options of the run: they are in the state.
  const { demo } = Object(request.state) as { demo?: Json };
  const ask = askOf(
    demo === undefined
      ? request
      : new Conversation({ ...request.toJSON(), biz_params: { demo } }, { user }),
  );
  const agent = mode === "chat" ? runStages : demoAgent;
  const answer = respond(
    { signal: out.signal },
    { protocol: "ag-ui", heartbeatMs: 0, env },
    (written) => agent(written, ask),
  );
  await out.forward(hinted(answer.body!), { protocol: "ag-ui" });
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

/** Yields the events of an AG-UI stream with metadata for the history. */
async function* hinted(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const entry of events(stream, { protocol: "ag-ui" })) {
    if (entry.kind === "event") {
      const event = withHints(entry.event as unknown as { readonly [key: string]: Json });
      yield encoder.encode(`data: ${stringifyJson(event)}\n\n`);
    }
  }
}

const encoder = new TextEncoder();

/** Adds suggestions for the next message, and the form of a tool's result. */
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
