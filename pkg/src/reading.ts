// The public API of `agentwire/reader`, name by name.

export { init, ready, version } from "./wasm.js";
export type { WasmSource } from "./wasm.js";

export { warm } from "./warm.js";
export { read } from "./read.js";
export type { Run, RunOptions } from "./read.js";
export type { Source } from "./body.js";
export { Decoder } from "./decoder.js";
export type { Limits, ReadOptions } from "./options.js";
export type {
  AnyProtocol,
  Answers,
  Change,
  Outcome,
  OutcomeOf,
  Path,
  Protocol,
  ProtocolChoice,
  Update,
  UpdateOf,
} from "./outcome.js";
export { pendingToolCalls, toolCalls } from "./tool_call_view.js";
export type { ToolCallView } from "./tool_call_view.js";
export { toolArguments, toolOutput } from "./tool_calls.js";
export type { ToolArguments, ToolOutput } from "./tool_calls.js";
export { parseJson, stringify } from "./json.js";
export { AgentwireError, ConnectionError, HttpError, TrapError } from "./errors.js";
export type {
  BuilderErrorCode,
  CallErrorCode,
  ErrorCode,
  ProtocolErrorCode,
  RequestErrorCode,
  StreamErrorCode,
} from "./error_codes.js";

// `Response` is what `fetch` gives; the answer of an agent goes by the name it has in Python.
export type { Response as AgentResponse } from "./agentwire.js";
export type {
  AgKitError,
  AgKitErrorPart,
  AgKitInterruptPart,
  AgKitPart,
  AgKitStatus,
  AgKitTextPart,
  AgKitToolCallPart,
  AgKitToolState,
  AgKitTurn,
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
  OtherContent,
  OtherName,
  RefusalContent,
  Report,
  Role,
  RunStatus,
  TextContent,
  ToolCall,
  VideoContent,
  Violation,
} from "./agentwire.js";
