// The exports of `agentwire/ag-ui` that only this protocol has.

export { createRequest, nextRequest, pendingInterrupts, resume, submitToolResults } from "./create_request.js";
export type {
  AgUiAnswers as AnswerOptions,
  AgUiDecisions as InterruptDecisions,
  AgUiInput as Input,
  AgUiNext as NextOptions,
  AgUiRequestOptions as RequestOptions,
} from "./create_request.js";
export type { AgUiEvent as Event } from "../generated/ag_ui/events.js";
export type { RunAgentInput as RequestInput } from "../agentwire.js";
