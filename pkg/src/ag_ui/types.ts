// The types that belong to AG-UI.

import type { AgUiSnapshot, AgUiToolCall, RunAgentInput } from "../agentwire.js";
import type { AgUiEvent } from "../generated/ag_ui/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface AgUiTypes {
  readonly answer: AgUiSnapshot;
  readonly toolCall: AgUiToolCall;
  readonly event: AgUiEvent;
  readonly request: RunAgentInput;
}
