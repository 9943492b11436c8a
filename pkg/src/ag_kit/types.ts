// What reading AG-Kit gives. Types only.

import type { AgKitToolCallPart, AgKitTurn, SendMessageInput } from "../agentwire.js";
import type { AgKitEvent } from "./events.js";

/** What there is to read. */
export interface AgKitTypes {
  readonly answer: AgKitTurn;
  readonly toolCall: AgKitToolCallPart;
  readonly event: AgKitEvent;
  readonly request: SendMessageInput;
}
