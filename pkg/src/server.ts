// The public API of `agentwire/server`: responding to requests in every protocol.

export { init, version, toolkitReady as ready } from "./wasm.js";
export type { WasmSource } from "./wasm.js";
export { parseJson, stringifyJson } from "./json.js";
export { AgentwireError, TrapError } from "./errors.js";
export type { ErrorCode } from "./error_codes.js";
export type { Json } from "./agentwire.js";

export { createHandler } from "./server/handler.js";
export type { HandlerOptions } from "./server/handler.js";
export { defineAdapter } from "./convert/adapter.js";
export type { Adapter, AdapterDefinition, AdapterOptions, AgentFunction, RefusedError } from "./convert/adapter.js";
export { withCors } from "./server/cors.js";
export type { CorsOptions } from "./server/cors.js";
export type { RequestContext } from "./server/context.js";

export { respond } from "./emit/emit.js";
export type { RespondOptions } from "./emit/emit.js";
export { AgentError } from "./emit/told.js";
export type { OnError } from "./emit/told.js";
export { sseHeaders } from "./emit/headers.js";
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
export type { JsonObject } from "./emit/options.js";

export { RequestError } from "./request.js";
export type { RequestProblem } from "./request.js";
export { readBody } from "./request_body.js";
export type { BodyOptions } from "./request_body.js";
export { parseRequest, validateRequest } from "./server/parse_request.js";

// The exports of single protocols.
export * from "./protocol_tools.js";
