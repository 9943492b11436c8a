// Parses, validates and converts requests of OpenAI Responses.

import type { CreateResponse } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { bearer } from "../http/headers.js";
import { accepted, problemsOf } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { submitToolResults } from "./create_request.js";

/** The functions for requests of OpenAI Responses. */
export const REQUESTS: RequestTools<CreateResponse> = {
  parse: (body) => accepted(toolkit().call("parseCreateResponse", body))[0] as CreateResponse,
  validate: (request) => problemsOf(toolkit().call("validateCreateResponse", jsonText(request))),
  toAgentRequest: (request) => converted(toolkit().call("createResponseToAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toCreateResponse", jsonText(request))),
  model: {
    url: "https://api.openai.com/v1",
    path: () => "/responses",
    headers: bearer,
    streamed: (request) => ({ ...request, stream: true }),
    submitToolResults,
  },
};
