// The exports of `agentwire/gemini` that only this protocol has.

export { createRequest, nextRequest, submitToolResults } from "./create_request.js";
export type {
  GeminiAnswers as AnswerOptions,
  GeminiInput as Input,
  GeminiRequestOptions as RequestOptions,
} from "./create_request.js";
export type { GeminiEvent as Event } from "../generated/gemini/events.js";
export type { GenerateContentRequest as RequestInput } from "../agentwire.js";
