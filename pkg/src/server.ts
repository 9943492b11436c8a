// The public API of `agentwire/server`: responding to requests in every protocol.

export { init, version, toolkitReady as ready } from "./core/wasm.js";
export type { WasmSource } from "./core/wasm.js";
export { parseJson, stringifyJson } from "./core/json.js";
export { AgentwireError, TrapError } from "./core/errors.js";
export type { ErrorCode } from "./core/error_codes.js";
export type { Json } from "./agentwire.js";

export { createHandler } from "./server/handler.js";
export type { HandlerOptions } from "./server/handler.js";
export { defineAdapter } from "./server/adapter.js";
export type { Adapter, AdapterDefinition, AdapterOptions, AgentFunction, RefusedError } from "./server/adapter.js";
export { withCors } from "./server/cors.js";
export type { CorsOptions } from "./server/cors.js";
export type { RequestContext } from "./http/context.js";

export { respond } from "./emit/emit.js";
export type { RespondOptions } from "./emit/emit.js";
export { AgentError } from "./emit/told.js";
export type { OnError } from "./emit/told.js";
export { sseHeaders } from "./http/headers.js";
export type {
  ActivityWriter,
  AgentQuestion,
  AgentWriter,
  DataWriter,
  MessageWriter,
  NewMessage,
  NewToolCall,
  StepWriter,
  SubagentWriter,
  TextWriter,
  ToolCallWriter,
} from "./emit/out.js";
export type { BuilderEvent } from "./emit/event.js";
export type { JsonObject } from "./core/json.js";

export { RequestError } from "./http/request.js";
export type { RequestProblem } from "./http/request.js";
export { readBody } from "./http/request_body.js";
export type { BodyOptions } from "./http/request_body.js";
export { parseRequest, validateRequest } from "./server/parse_request.js";

// The exports of single protocols.
export * from "./generated/registry/tools.js";
