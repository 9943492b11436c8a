// What reading AG-UI gives. Types only.

import type { AgUiSnapshot, AgUiToolCall, RunAgentInput } from "../agentwire.js";
import type { AgUiEvent } from "./events.js";

/** What there is to read. */
export interface AgUiTypes {
  readonly answer: AgUiSnapshot;
  readonly toolCall: AgUiToolCall;
  readonly event: AgUiEvent;
  readonly request: RunAgentInput;
}
