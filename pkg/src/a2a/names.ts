// The exports of `agentwire/a2a` that only this protocol has.

export { cancelTask, createRequest, getTask, nextRequest, resume, submitToolResults, subscribeToTask } from "./create_request.js";
export type { A2aAnswers as AnswerOptions, A2aInput as Input, A2aRequestOptions as RequestOptions } from "./create_request.js";
export type { A2aEvent as Event } from "../generated/a2a/events.js";
