// The names that every entry has, whatever it reads.

export { init, version } from "./wasm.js";
export type { WasmSource } from "./wasm.js";

export type { Run } from "./read.js";
export type { Source } from "./body.js";
export type { Limits } from "./options.js";
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
export type {
  EventOf,
  EventOptions,
  Events,
  EventsOptions,
  MalformedEvent,
  StreamComment,
  StreamEntry,
  StreamEvent,
} from "./events.js";
export type { ToolCallView } from "./tool_call_view.js";
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
export type { Json, OtherName, Report, Violation } from "./agentwire.js";
export type { AgentClient, AgentRun, AgentState, AgentUpdate, Decision, ResumeOptions, SendOptions } from "./connect/agent.js";
export type { AgentTool, AgentTools, SharedConnectOptions, ToolOptions } from "./connect/options.js";
export type { PendingCall, StoredTurn, ToolAnswer } from "./store/turn.js";
export type { RunError, StoreStatus } from "./store/state.js";
