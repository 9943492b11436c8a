// The names of the Agent API that have to do with asking for an answer and reading it, and its messages.

export { agentRequest } from "./agent_request.js";
export type { AgentRequestOptions } from "./agent_request.js";
export type { AgentRequest, FunctionTool, Tool, ToolEntry } from "../agentwire.js";
export { addContent, addDeltaContent, contentCompleted } from "./message.js";
export { toolArguments, toolOutput } from "./tool_arguments.js";
export type { ToolArguments, ToolOutput } from "./tool_arguments.js";
export { CONTENT_TYPES, MESSAGE_TYPES, ROLES, RUN_STATUSES } from "./tables.js";
export type {
  AgentApiEvent,
  AgentApiOtherEvent as WireOther,
  WireErrorFrame,
  WireMessage,
  WirePart,
  WireResponse,
} from "./events.js";
export type { WireContent } from "./content_event.js";
// `Response` is what `fetch` gives; the answer of an agent goes by the name it has in Python.
export type { Response as AgentResponse } from "../agentwire.js";
export type {
  AudioContent,
  Content,
  ContentType,
  DataContent,
  ErrorInfo,
  FileContent,
  FunctionCall,
  FunctionCallOutput,
  FunctionParameters,
  ImageContent,
  InputContent,
  InputMessage,
  McpApprovalRequest,
  McpApprovalResponse,
  McpCall,
  McpListTools,
  Message,
  MessageType,
  OtherContent,
  RefusalContent,
  Role,
  RunStatus,
  TextContent,
  ToolCall,
  VideoContent,
} from "../agentwire.js";
