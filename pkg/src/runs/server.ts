// The public API of `agentwire/runs/server`: the runs endpoints of a service.

export { init, version, toolkitReady as ready } from "../wasm.js";
export type { WasmSource } from "../wasm.js";
export { AgentwireError, TrapError } from "../errors.js";
export type { ErrorCode } from "../error_codes.js";
export { RequestError } from "../request.js";
export type { RequestProblem } from "../request.js";
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
