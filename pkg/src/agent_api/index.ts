// The names of the Agent API that `agentwire/server` exports.

export {
  type SubmittedDecision,
  type SubmittedResult,
  type SubmittedToolResult,
  submittedResults,
  userText,
} from "./request_input.js";
export {
  AgentApiStreamBuilder,
  type ContentBuilder,
  type MessageBuilder,
} from "../emit/agent_api_builder.js";
export type {
  BuilderOptions,
  NewAudio,
  NewContent,
  NewFile,
  TerminalStatus,
} from "../convert/builder_options.js";
export { agentApiAdapter } from "./adapter.js";
export type { AgentRequest, ErrorInfo, MessageType, Role } from "../agentwire.js";
