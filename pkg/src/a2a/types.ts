// The types that belong to A2A.

import type { A2aPart, A2aSendMessageRequest, A2aSnapshot } from "../agentwire.js";
import type { A2aEvent } from "../generated/a2a/events.js";

/**
 * The task, the one message, or the error of a stream. It is plain data; unchanged parts keep their
 * identity between updates.
 */
export interface Snapshot extends A2aSnapshot {}

/** The types of snapshots, tool calls, events and requests. */
export interface A2aTypes {
  readonly answer: Snapshot;
  readonly toolCall: A2aPart;
  readonly event: A2aEvent;
  readonly request: A2aSendMessageRequest;
}
