// The public API of `agentwire/server`: responding to requests in every protocol.

export { type WasmSource, toolkitReady as ready, version } from "./core/wasm.js";
export { type JsonObject, parseJson, stringifyJson } from "./core/json.js";
export { AgentwireError, TrapError } from "./core/errors.js";
export type { ErrorCode } from "./core/error_codes.js";
export type { Json } from "./agentwire.js";

export {
  type Handler,
  type HandlerOptions,
  type StoringHandler,
  createHandler,
} from "./server/handler.js";
export type {
  HandlerStore,
  StoreLimits,
  StoreOptions,
  StoreRetention,
  StoredAction,
  WhileRunning,
} from "./server/service.js";
export {
  type Adapter,
  type AdapterDefinition,
  type AdapterOptions,
  type AgentFunction,
  type RefusedError,
  defineAdapter,
} from "./server/adapter.js";
export {
  Conversation,
  type ConversationMessage,
  type ConversationSettings,
  type ConversationTool,
  type NativeRequest,
  conversationOf,
} from "./conversation/conversation.js";
export type {
  SubmittedDecision,
  SubmittedResult,
  SubmittedToolResult,
} from "./conversation/answers.js";
export { type CorsOptions, withCors } from "./server/cors.js";
export type { ListedModel } from "./server/models.js";
export type { RequestContext } from "./http/context.js";

export { type OnLosses, type RespondOptions, respond } from "./emit/emit.js";
export { AgentError, type AgentErrorOptions, type OnError } from "./emit/agent_error.js";
export type { Loss, LossClass } from "./core/findings.js";
export { type CallModelOptions, type ModelOptions, callModel } from "./model/call.js";
export { type RunToolsOptions, runTools } from "./model/run_tools.js";
export {
  type AgentTool,
  type AgentTools,
  type SchemaValue,
  type ToolContext,
  defineTool,
} from "./connect/tool.js";
export { ConnectionError, HttpError } from "./core/errors.js";
export { sseHeaders } from "./http/headers.js";
export type {
  ActivityWriter,
  AgentQuestion,
  AgentWriter,
  DataWriter,
  ForwardOptions,
  Forwarded,
  ForwardedCall,
  MessageWriter,
  NewMessage,
  NewToolCall,
  StepWriter,
  SubagentWriter,
  TextWriter,
  ToolCallWriter,
} from "./emit/out.js";
export type { BuilderEvent } from "./emit/event.js";
export { EventError, EventWriter, type EventWriterOptions } from "./event_writer.js";
export type { Violation } from "./core/findings.js";

export { apiKeyOf } from "./http/api_key.js";
export { RequestError, type RequestProblem } from "./http/request.js";
export { type BodyOptions, readBody } from "./http/request_body.js";
export { parseRequest, validateRequest } from "./convert/requests.js";

// The exports of single protocols.
export * from "./generated/registry/tools.js";
