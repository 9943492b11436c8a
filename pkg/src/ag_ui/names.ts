// The exports of `agentwire/ag-ui` that only this protocol has.

export {
  createRequest,
  nextRequest,
  pendingInterrupts,
  resume,
  submitToolResults,
} from "./create_request.js";
export type {
  AnswerOptions,
  Input,
  InterruptDecisions,
  NextOptions,
  RequestOptions,
} from "./create_request.js";
export type { AgUiEvent as Event } from "../generated/ag_ui/events.js";
export type { RunAgentInput as RequestInput } from "../agentwire.js";
export type { Message, Snapshot } from "./types.js";
