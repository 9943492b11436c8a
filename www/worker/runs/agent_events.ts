// The demo agent as the source of a run's events.

import { type Json, type RunInput, events, parseRunAgentInput, respond, stringify, toAgentRequest } from "agentwire";
import { askOf } from "../ask.js";
import { demoAgent } from "../demo_agent.js";

/** The events of a run, as JSON, from the first to the terminal one. */
export async function* demoEvents(body: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const { threadId: sessionId, runId: responseId, state } = JSON.parse(body) as RunInput;
  const { request } = toAgentRequest(parseRunAgentInput(body));
  // How the run shall go stands in the state, which is free; elsewhere it is a parameter of its own.
  const { demo } = Object(state) as { demo?: Json };
  const ask = askOf(demo === undefined ? request : { ...request, biz_params: { demo } });
  const answer = respond({ signal }, { protocol: "ag-ui", sessionId, responseId, heartbeat: 0 }, (out) => demoAgent(out, ask));
  for await (const entry of events(answer.body!, { protocol: "ag-ui" })) {
    if (entry.kind === "event") {
      yield stringify(withHints(entry.event as unknown as { readonly [key: string]: Json }));
    }
  }
}

/** What the history tells besides the text: what the user might say next, and how a tool's result is shown. */
function withHints(event: { readonly [key: string]: Json }): Json {
  const hints = { TEXT_MESSAGE_END: { suggested_actions: ACTIONS }, TOOL_CALL_RESULT: { tool_agent_output: { ui_hints: CARD } } };
  const more = hints[event.type as keyof typeof hints];
  return more === undefined ? event : { ...event, metadata: { ...Object(event.metadata ?? {}), ...more } };
}

const ACTIONS: Json = ["Compare Paris and Tokyo", "Tell me a long story"];
const CARD: Json = { type: "card", title: "city", rows: ["celsius", "sky", "humidity", "wind"] };
