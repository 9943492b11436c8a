// The types that belong to A2A.

import type { A2aPart, A2aSendMessageRequest, A2aSnapshot } from "../agentwire.js";
import type { A2aEvent } from "../generated/a2a/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface A2aTypes {
  readonly answer: A2aSnapshot;
  readonly toolCall: A2aPart;
  readonly event: A2aEvent;
  readonly request: A2aSendMessageRequest;
}
