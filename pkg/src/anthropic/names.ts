// The exports of `agentwire/anthropic` that only this protocol has.

export { createRequest, nextRequest, submitToolResults } from "./create_request.js";
export type {
  AnthropicAnswers as AnswerOptions,
  AnthropicInput as Input,
  AnthropicRequestOptions as RequestOptions,
} from "./create_request.js";
export type { AnthropicEvent as Event } from "../generated/anthropic/events.js";
export type { MessagesRequest as RequestInput } from "../agentwire.js";
