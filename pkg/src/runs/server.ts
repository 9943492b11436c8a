// The public API of `agentwire/runs/server`: the runs service, its stores, and its parts for
// services of another kind.

export { version, toolkitReady as ready } from "../core/wasm.js";
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

export { runsAdapter } from "./server/runs_adapter.js";
export type { Recording, RunsAdapterOptions } from "./server/runs_adapter.js";
export type { RunsLimits } from "./server/limits.js";
export { jwtUsers } from "./server/identity.js";
export type { JwtOptions } from "./server/identity.js";

export { durableHandler, durableStore } from "./server/durable.js";
export type {
  DurableHandler,
  DurableHandlerClass,
  DurableHandlerObject,
  DurableHandlerOptions,
  DurableObjects,
  DurableState,
  DurableStorage,
} from "./server/durable.js";
export { folderBlobs, memoryBlobs, r2Blobs, s3Blobs } from "./server/blobs.js";
export type { BlobHead, BlobRange, BlobStore, R2Bucket, S3Options } from "./server/blobs.js";
export { ThreadLog } from "./server/thread_log.js";
export type {
  DrivenLog,
  FollowedLog,
  HistoryPage,
  NewEvent,
  NewStoredMessage,
  NewRun,
  RunStatus,
  StoredMessage,
  StoredRun,
  ThreadState,
} from "./server/store.js";

export { RunDriver } from "./server/driver.js";
export type { RunDriverOptions, RunFailure, RunScript } from "./server/driver.js";
export { RunFollowers } from "./server/followers.js";
export type { FollowedPlace, RunForm } from "./server/followers.js";
export { refuse, storageRefusal } from "./server/refusal.js";
export type { RunsRefusal } from "./server/refusal.js";
