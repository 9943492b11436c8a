// The names of the Agent API.

export { addContent, addDeltaContent, contentCompleted } from "./message.js";
export { CONTENT_TYPES, MESSAGE_TYPES, ROLES, RUN_STATUSES } from "./words.js";
export type { AgentApiEvent, WireContent, WireErrorFrame, WireMessage, WireOther, WirePart, WireResponse } from "./events.js";
export { parseAgentRequest, validateAgentRequest } from "../request.js";
export { ResponseBuilder } from "../emit/response_builder.js";
export type { MessageBuilder } from "../emit/message_builder.js";
export type { ContentBuilder } from "../emit/content_builder.js";
export type { BuilderOptions, NewAudio, NewContent, NewFile, TerminalStatus } from "../emit/options.js";
export { agentApiAdapter } from "../convert/adapter.js";
export { toAgentRequest } from "../convert/request.js";
export type {
  AgentRequest,
  FunctionCall,
  FunctionCallOutput,
  FunctionParameters,
  FunctionTool,
  InputContent,
  InputMessage,
  McpApprovalRequest,
  McpApprovalResponse,
  McpCall,
  McpListTools,
  Tool,
  ToolEntry,
} from "../agentwire.js";
