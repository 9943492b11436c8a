// The public API of `agentwire/runs/server`: the runs endpoints of a service.

export { init, version, toolkitReady as ready } from "../core/wasm.js";
export type { WasmSource } from "../core/wasm.js";
export { AgentwireError, TrapError } from "../core/errors.js";
export type { ErrorCode } from "../core/error_codes.js";
export { RequestError } from "../http/request.js";
export type { RequestProblem } from "../http/request.js";
export {
  RunSubscription,
  RunWriter,
  cursorNumber,
  parseRunCancelQuery,
  parseRunEventsQuery,
  parseRunHistoryQuery,
  parseRunInput,
  runErrorEvent,
  runsRefusal,
  serializeRunInput,
} from "./service.js";
export type { RunLogEntry } from "./service.js";
export type { RunCancelQuery, RunEventsQuery, RunHistoryQuery, RunInput } from "../agentwire.js";
