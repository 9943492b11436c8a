// What reading A2A gives. Types only.

import type { A2aPart, A2aSendMessageRequest, A2aSnapshot } from "../agentwire.js";
import type { A2aEvent } from "./events.js";

/** What there is to read. */
export interface A2aTypes {
  readonly answer: A2aSnapshot;
  readonly toolCall: A2aPart;
  readonly event: A2aEvent;
  readonly request: A2aSendMessageRequest;
}
