// Parses, validates and converts requests of OpenAI Responses.

import type { CreateResponse, ResponsesResponse } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { bearer } from "../http/headers.js";
import { submitToolResults } from "./create_request.js";

/** The functions for requests of OpenAI Responses. */
export const REQUESTS = /* @__PURE__ */ requestTools<CreateResponse>("parseCreateResponse", "validateCreateResponse", "createResponseToAgentRequest", "toCreateResponse", {
  model: {
    url: "https://api.openai.com/v1",
    path: () => "/responses",
    headers: bearer,
    streamed: (request) => ({ ...request, stream: true }),
    calls: ({ output }: ResponsesResponse) => output.filter(({ type }) => type === "function_call" || type === "custom_tool_call"),
    callId: "call_id",
    submitToolResults,
  },
});
