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
export type {
  AgUiContentPart as ContentPart,
  AgUiContext as Context,
  AgUiFunctionCall as FunctionCall,
  AgUiInputContent as InputContent,
  AgUiInputMessage as InputMessage,
  AgUiInputToolCall as InputToolCall,
  AgUiInterrupt as Interrupt,
  AgUiMessage as Message,
  AgUiReasoningSpan as ReasoningSpan,
  AgUiResumeEntry as ResumeEntry,
  AgUiRole as Role,
  AgUiRun as Run,
  AgUiRunError as RunError,
  AgUiSnapshot as Snapshot,
  AgUiSource as MediaSource,
  AgUiStatus as Status,
  AgUiStep as Step,
  AgUiSubagent as Subagent,
  AgUiTool as Tool,
  AgUiToolCall as SnapshotToolCall,
  AgUiToolCallType as ToolCallType,
  RunAgentInput as RequestInput,
} from "../agentwire.js";
