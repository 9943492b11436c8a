// The types that belong to Anthropic Messages.

import type { AnthropicMessage, AnthropicToolUse, MessagesRequest } from "../agentwire.js";
import type { AnthropicEvent } from "../generated/anthropic/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface AnthropicTypes {
  readonly answer: AnthropicMessage;
  readonly toolCall: AnthropicToolUse;
  readonly event: AnthropicEvent;
  readonly request: MessagesRequest;
}
