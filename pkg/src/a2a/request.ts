// Parses, validates and converts requests of A2A.

import type { A2aSendMessageRequest } from "../agentwire.js";
import { type RequestTools, converted } from "../convert/request.js";
import { accepted, problemsIn } from "../http/request.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { rpc } from "./create_request.js";

/** The functions for requests of A2A. */
export const REQUESTS: RequestTools<A2aSendMessageRequest> = {
  parse: (body) => accepted(toolkit().call("parseSendMessageRequest", body))[0] as A2aSendMessageRequest,
  validate: (request) => problemsIn(() => accepted(toolkit().call("parseSendMessageRequest", jsonText(request)))),
  toAgentRequest: (request) => converted(toolkit().call("sendMessageRequestToAgentRequest", jsonText(request))),
  fromAgentRequest: (request) => converted(toolkit().call("toSendMessageRequest", jsonText(request))),
  posted: (request) => ({ body: rpc("SendStreamingMessage", request), headers: { "a2a-version": "1.0" } }),
};
