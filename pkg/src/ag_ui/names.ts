// The names of AG-UI that have to do with reading it.

export type { AgUiEvent } from "./events.js";
export type {
  AgUiFunctionCall,
  AgUiMessage,
  AgUiReasoningSpan,
  AgUiRole,
  AgUiRun,
  AgUiRunError,
  AgUiSnapshot,
  AgUiStatus,
  AgUiStep,
  AgUiSubagent,
  AgUiToolCall,
  AgUiToolCallType,
} from "../agentwire.js";
