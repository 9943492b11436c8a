// The names of OpenAI Responses that only the whole toolkit has.

export { responsesAdapter } from "./adapter.js";
export { createResponseEcho, createResponseToAgentRequest, parseCreateResponse, toCreateResponse, validateCreateResponse } from "./request.js";
export type {
  ResponsesContent,
  ResponsesContentPart,
  ResponsesConversation,
  ResponsesConversationParam,
} from "../agentwire.js";
