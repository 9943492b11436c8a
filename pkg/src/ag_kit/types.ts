// The types that belong to AG-Kit.

import type { AgKitToolCallPart, AgKitTurn, SendMessageInput } from "../agentwire.js";
import type { AgKitEvent } from "../generated/ag_kit/events.js";

/**
 * The snapshot of one turn. It is plain data; unchanged parts keep their identity between updates.
 */
export interface Snapshot extends AgKitTurn {}

/** The types of snapshots, tool calls, events and requests. */
export interface AgKitTypes {
  readonly answer: Snapshot;
  readonly toolCall: AgKitToolCallPart;
  readonly event: AgKitEvent;
  readonly request: SendMessageInput;
}
