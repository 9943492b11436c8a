// The exports that all entry points for reading share.

export { init, version } from "./wasm.js";
export type { WasmSource } from "./wasm.js";

export type { Decisions, ToolResults } from "./answers.js";
export type { AgentwireSource } from "./body.js";
export type { Limits } from "./options.js";
export type { Change } from "./outcome.js";
export type { MalformedEvent, StreamComment } from "./events.js";
export type { EndReason, Report, Violation } from "./findings.js";
export type { ToolCall } from "./tool_call_view.js";
export { parseJson, stringifyJson } from "./json.js";
export { AgentwireError, ConnectionError, HttpError, TrapError } from "./errors.js";
export type { ErrorCode } from "./error_codes.js";
export type { Json, OtherName } from "./agentwire.js";
export type { AgentClient, AgentRun, AgentState, AgentUpdate, Decision, ResumeOptions, SendOptions } from "./connect/agent.js";
export type { SharedConnectOptions, ToolOptions } from "./connect/options.js";
export { defineTool } from "./connect/tool.js";
export type { AgentTool, AgentTools, SchemaValue, ToolContext } from "./connect/tool.js";
export type { ConversationAnswer, PendingCall, StoredTurn } from "./store/turn.js";
export type { StoreStatus } from "./store/state.js";
