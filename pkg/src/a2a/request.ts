// Parses, validates and converts requests of A2A.

import type { A2aSendMessageRequest } from "../agentwire.js";
import { requestTools } from "../convert/request.js";
import { rpc } from "./create_request.js";
import { answered } from "./unstreamed.js";

/** The functions for requests of A2A. */
export const REQUESTS = /* @__PURE__ */ requestTools<A2aSendMessageRequest>(
  "parseSendMessageRequest",
  undefined,
  {
    posted: (request) => ({
      body: rpc("SendStreamingMessage", request),
      headers: { "a2a-version": "1.0" },
    }),
    answered: (response, request, send, signal) =>
      answered(
        response,
        request,
        (method, params) => send(rpc(method, params), { accept: "application/json" }),
        signal,
      ),
  },
);
