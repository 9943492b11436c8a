// Parses, validates and converts requests of AG-UI.

import type { RunAgentInput } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { accepted, problemsOf } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";

/** The functions for requests of AG-UI. */
export const REQUESTS: RequestTools<RunAgentInput> = {
  parse: (body) => accepted(toolkit().call("parseRunAgentInput", body))[0] as RunAgentInput,
  validate: (request) => problemsOf(toolkit().call("validateRunAgentInput", jsonText(request))),
  toAgentRequest: (request) => converted(toolkit().call("runAgentInputToAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toRunAgentInput", jsonText(request))),
};
