// The exports of `agentwire/chat` that only this protocol has.

export { createRequest, nextRequest, submitToolResults } from "./create_request.js";
export type {
  ChatAnswers as AnswerOptions,
  ChatInput as Input,
  ChatRequestOptions as RequestOptions,
} from "./create_request.js";
export type { ChatEvent as Event } from "../generated/chat/events.js";
