// The public API, name by name.

export { init, ready, version } from "./wasm.js";
export type { WasmSource } from "./wasm.js";

export { read } from "./read.js";
export type { Run, RunOptions } from "./read.js";
export type { Source } from "./body.js";
export { Decoder } from "./decoder.js";
export type { Limits, Protocol, ReadOptions } from "./options.js";
export type { Change, Outcome, Update } from "./outcome.js";
export { toolArguments, toolOutput } from "./tool_calls.js";
export type { ToolArguments, ToolOutput } from "./tool_calls.js";
export { parseJson, stringify } from "./json.js";
export { AgentwireError, ConnectionError, HttpError } from "./errors.js";

// `Response` is what `fetch` gives; the answer of an agent goes by the name it has in Python.
export type { Response as AgentResponse } from "./agentwire.js";
export type {
  AudioContent,
  Content,
  ContentType,
  DataContent,
  ErrorInfo,
  FileContent,
  ImageContent,
  Json,
  Message,
  MessageType,
  RefusalContent,
  Report,
  Role,
  RunStatus,
  TextContent,
  ToolCall,
  VideoContent,
  Violation,
} from "./agentwire.js";

export { RequestError, parseAgentRequest, validateAgentRequest } from "./request.js";
export type { RequestProblem } from "./request.js";
export type {
  AgentRequest,
  FunctionTool,
  InputContent,
  InputMessage,
  Tool,
} from "./agentwire.js";

export { emit } from "./emit/emit.js";
export type { EmitOptions } from "./emit/emit.js";
export { sseHeaders } from "./emit/headers.js";
export type {
  NewMessage,
  NewTool,
  Out,
  OutData,
  OutMessage,
  OutText,
  OutTool,
  Parallel,
} from "./emit/out.js";
export { ResponseBuilder } from "./emit/response_builder.js";
export type { MessageBuilder } from "./emit/message_builder.js";
export type { ContentBuilder } from "./emit/content_builder.js";
export type { BuilderEvent } from "./emit/event.js";
export type { BuilderOptions, JsonObject, NewAudio, NewContent, NewFile, TerminalStatus } from "./emit/options.js";
