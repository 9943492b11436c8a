// Asking in AG-UI, whose servers are told the whole thread. The answer is shown in the shape of the Agent API, so that the same components
// draw it. That takes the whole toolkit; who writes components for AG-UI's own messages reads with `agentwire/ag-ui`.

import type { TurnRequest } from "agentwire/react";
import { convertRequest, init, read } from "agentwire";
import type { AgentRequest } from "agentwire/server";
import { createRequest } from "agentwire/ag-ui";
import { TOOLS, messagesOf } from "./asking";

/** Loads the WebAssembly beside the page; a request waits for it. */
void init();

/** Asks the agent, and reads its answer as it comes. */
export async function ask({ conversationId, turns, signal, ...turn }: TurnRequest<"agent-api">) {
  await init();
  const before = turns.flatMap((turn) => [...messagesOf(turn), ...(turn.snapshot?.output ?? [])]);
  const input = [...before, ...messagesOf(turn)] as AgentRequest["input"];
  const { request } = convertRequest({ session_id: conversationId, input, tools: TOOLS }, { from: "agent-api", to: "ag-ui" });
  return read(fetch(createRequest("/ag-ui", request, { signal })), { protocol: "ag-ui", as: "agent-api", signal });
}
