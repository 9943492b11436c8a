// The exports of `agentwire/ag-kit` that only this protocol has.

export { createRequest, nextRequest, resume, submitToolResults } from "./create_request.js";
export type { AnswerOptions, Input, RequestOptions } from "./create_request.js";
export type { AgKitEvent as Event } from "../generated/ag_kit/events.js";
export type { SendMessageInput as RequestInput } from "../agentwire.js";
export type { Snapshot } from "./types.js";
