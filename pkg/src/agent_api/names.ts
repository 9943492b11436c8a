// The exports of `agentwire/agent-api` that only this protocol has.

export { createRequest, nextRequest, resume, submitToolResults } from "./create_request.js";
export type { AnswerOptions, Input, RequestOptions } from "./create_request.js";
export { addContent, addDeltaContent, contentCompleted } from "./message.js";
export {
  CONTENT_TYPES,
  MESSAGE_TYPES,
  ROLES,
  RUN_STATUSES,
} from "../generated/agent_api/tables.js";
export type {
  AgentApiEvent as Event,
  AgentApiOtherEvent as OtherEvent,
  WireErrorFrame as ErrorEvent,
  WireMessage as EventMessage,
  WirePart as EventPart,
  WireResponse as ResponseEvent,
} from "../generated/agent_api/events.js";
export type { Snapshot, WireContent as ContentEvent } from "./types.js";
export type {
  AgentRequest as RequestInput,
  AudioContent,
  Content,
  ContentType,
  DataContent,
  ErrorInfo,
  FileContent,
  FunctionCall,
  FunctionCallOutput,
  FunctionParameters,
  FunctionTool,
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
  Tool,
  ToolCall as SnapshotToolCall,
  ToolEntry,
  VideoContent,
} from "../agentwire.js";
