// The names of the Agent API that `agentwire/server` exports.

export { type SubmittedDecision, type SubmittedResult, type SubmittedToolResult, submittedResults, userText } from "./asked.js";
export { AgentApiStreamBuilder } from "../emit/response_builder.js";
export type { MessageBuilder } from "../emit/message_builder.js";
export type { ContentBuilder } from "../emit/content_builder.js";
export type { BuilderOptions, NewAudio, NewContent, NewFile, TerminalStatus } from "../convert/builder_options.js";
export { agentApiAdapter } from "./adapter.js";
export type { AgentRequest, ErrorInfo, MessageType, Role } from "../agentwire.js";
