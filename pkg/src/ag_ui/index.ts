// The names of AG-UI that only the whole toolkit has.

export { AgUiStreamBuilder } from "./stream_builder.js";
export type { AgUiBuilderOptions, AgUiOutcome, AgUiTokenUsage } from "./stream_builder.js";
export type { AgUiLane, AgUiNewCall, AgUiNewSubagent, AgUiOut, AgUiRespondOptions } from "./out.js";
export {
  answerToolCalls,
  continueRun,
  parseRunAgentInput,
  pendingInterrupts,
  resumeRun,
  runAgentInputBody,
  validateRunAgentInput,
} from "./request.js";
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
