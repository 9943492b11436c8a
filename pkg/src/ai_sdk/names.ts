// The exports of `agentwire/ai-sdk` that only this protocol has.

export { createRequest, nextRequest, resume, submitToolResults } from "./create_request.js";
export type {
  AiSdkAnswers as AnswerOptions,
  AiSdkInput as Input,
  AiSdkRequestOptions as RequestOptions,
} from "./create_request.js";
export type { AiSdkEvent as Event } from "../generated/ai_sdk/events.js";
