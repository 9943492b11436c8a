// The types that belong to AG-UI.

import type { AgUiMessage, AgUiSnapshot, AgUiToolCall, RunAgentInput } from "../agentwire.js";
import type { AgUiEvent } from "../generated/ag_ui/events.js";

/** A message of the thread. */
export interface Message extends AgUiMessage {}

/**
 * The snapshot of a thread. It has the fields of the official client, and the data that this client
 * passes only to its subscribers. It is plain data; unchanged parts keep their identity between
 * updates.
 */
export interface Snapshot extends AgUiSnapshot {
  /** The messages of the thread, in order. */
  readonly messages: readonly Message[];
}

/** The types of snapshots, tool calls, events and requests. */
export interface AgUiTypes {
  readonly answer: Snapshot;
  readonly toolCall: AgUiToolCall;
  readonly event: AgUiEvent;
  readonly request: RunAgentInput;
}
