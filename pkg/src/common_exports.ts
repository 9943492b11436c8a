// The exports that all entry points for reading share.

export { type WasmSource, version } from "./core/wasm.js";

export type { Decisions, ToolResults } from "./connect/replies.js";
export type { AgentwireSource } from "./read/body.js";
export type { Limits } from "./read/options.js";
export type { Change } from "./core/outcome.js";
export type { MalformedEvent, StreamComment } from "./read/events.js";
export type { EndReason, Report, Violation } from "./core/findings.js";
export type { ToolCall } from "./read/tool_call_view.js";
export { parseJson, stringifyJson } from "./core/json.js";
export { AgentwireError, ConnectionError, HttpError, TrapError } from "./core/errors.js";
export type { ErrorCode } from "./core/error_codes.js";
export type { Json, OtherName } from "./agentwire.js";
