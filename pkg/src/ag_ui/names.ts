// The exports of `agentwire/ag-ui` that only this protocol has.

export { createRequest, nextRequest, pendingInterrupts, resume, submitToolResults } from "./create_request.js";
export type { AnswerOptions, Input, InterruptDecisions, NextOptions, RequestOptions } from "./create_request.js";
export type { AgUiEvent as Event } from "../generated/ag_ui/events.js";
export type {
  AgUiContentPart as ContentPart,
  AgUiContext as Context,
  AgUiFunctionCall as FunctionCall,
  AgUiInputContent as InputContent,
  AgUiInputMessage as InputMessage,
  AgUiInputToolCall as InputToolCall,
  AgUiInterrupt as Interrupt,
  AgUiReasoningSpan as ReasoningSpan,
  AgUiResumeEntry as ResumeEntry,
  AgUiRole as Role,
  AgUiRun as Run,
  AgUiRunError as RunError,
  AgUiSource as MediaSource,
  AgUiStatus as Status,
  AgUiStep as Step,
  AgUiSubagent as Subagent,
  AgUiTool as Tool,
  AgUiToolCall as SnapshotToolCall,
  AgUiToolCallType as ToolCallType,
  RunAgentInput as RequestInput,
} from "../agentwire.js";
export type { Message, Snapshot } from "./types.js";
