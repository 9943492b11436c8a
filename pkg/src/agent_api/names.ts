// Further exports of `agentwire/agent-api`: its messages, and its types, whose names have no
// prefix.

import type { AgentApiEvent } from "../generated/agent_api/events.js";

export { addContent, addDeltaContent, contentCompleted } from "./message.js";
export {
  CONTENT_TYPES,
  MESSAGE_TYPES,
  ROLES,
  RUN_STATUSES,
} from "../generated/agent_api/tables.js";
export type {
  AgentApiOtherEvent as OtherEvent,
  WireErrorFrame as ErrorEvent,
  WireMessage as EventMessage,
  WirePart as EventPart,
  WireResponse as ResponseEvent,
} from "../generated/agent_api/events.js";
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

/** A content event: a delta (`delta: true`) or a whole content. */
export type ContentEvent = Extract<AgentApiEvent, { readonly object: "content" }>;
