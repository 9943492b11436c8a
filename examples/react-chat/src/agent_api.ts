// Asking in the Agent API, which has the conversation: it is told what is new.

import type { TurnRequest } from "agentwire/react";
import { createRequest, init, read } from "agentwire/agent-api";
import { TOOLS, messagesOf } from "./asking";

/** Loads the WebAssembly beside the page; a request waits for it. */
void init();

/** Asks the agent, and reads its answer as it comes. */
export async function ask({ conversationId, signal, ...turn }: TurnRequest<"agent-api">) {
  await init();
  const asked = createRequest("/process", { session_id: conversationId, input: messagesOf(turn), tools: TOOLS }, { signal });
  return read(fetch(asked), { signal });
}
