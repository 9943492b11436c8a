// The types that belong to AG-Kit.

import type { AgKitToolCallPart, AgKitTurn, SendMessageInput } from "../agentwire.js";
import type { AgKitEvent } from "../generated/ag_kit/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface AgKitTypes {
  readonly answer: AgKitTurn;
  readonly toolCall: AgKitToolCallPart;
  readonly event: AgKitEvent;
  readonly request: SendMessageInput;
}
