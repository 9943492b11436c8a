// The types that belong to OpenAI Chat Completions.

import type { ChatCompletion, ChatRequest, ChatToolCall } from "../agentwire.js";
import type { ChatEvent } from "../generated/chat/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface ChatTypes {
  readonly answer: ChatCompletion;
  readonly toolCall: ChatToolCall;
  readonly event: ChatEvent;
  readonly request: ChatRequest;
}
