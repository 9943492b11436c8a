// The exports of `agentwire/a2a` that only this protocol has.

export {
  cancelTask,
  createRequest,
  getTask,
  nextRequest,
  resume,
  submitToolResults,
  subscribeToTask,
} from "./create_request.js";
export type { AnswerOptions, Input, RequestOptions } from "./create_request.js";
export type { A2aEvent as Event } from "../generated/a2a/events.js";
export type { Snapshot } from "./types.js";
