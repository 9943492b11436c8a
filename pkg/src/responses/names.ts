// The exports of `agentwire/responses` that only this protocol has.

export {
  type AnswerOptions,
  createRequest,
  nextRequest,
  resume,
  submitToolResults,
} from "./create_request.js";
export type { PostOptions as RequestOptions } from "../http/post.js";
export type { ResponsesEvent as Event } from "../generated/responses/events.js";
export type { CreateResponse as RequestInput } from "../agentwire.js";
export type { Snapshot } from "./types.js";
