// The names of AG-UI that only the whole toolkit has.

export { AgUiStreamBuilder } from "./stream_builder.js";
export type { AgUiBuilderOptions, AgUiOutcome, AgUiTokenUsage } from "./stream_builder.js";
export {
  answerToolCalls,
  continueRun,
  parseRunAgentInput,
  pendingInterrupts,
  resumeRun,
  runAgentInputBody,
  validateRunAgentInput,
} from "./request.js";
export { agUiAdapter } from "./adapter.js";
export { toRunAgentInput } from "./convert_request.js";
export type {
  AgUiContentPart,
  AgUiContext,
  AgUiInputContent,
  AgUiInputMessage,
  AgUiInputToolCall,
  AgUiInterrupt,
  AgUiResumeEntry,
  AgUiSource,
  AgUiTool,
  RunAgentInput,
} from "../agentwire.js";

export { AG_UI_BINARY, agUiFrame } from "./binary.js";
export type { AgUiFrame } from "./binary.js";
export { compactEvents } from "./compact.js";
export type { AgUiEvent } from "./events.js";
