// Requests as the runtime answers them: what is no JSON object gets HTTP 422, everything else that is wrong becomes the
// one frame of a stream.

import { type AgentRequest, RequestError, parseAgentRequest, sseHeaders } from "agentwire";
import { jsonResponse } from "./replies.js";

/** Requests are questions and histories, not uploads. */
const LARGEST = 4 * 1024 * 1024;

/** Reads the body of a request; a `Response` is the refusal. */
export async function readAgentRequest(request: Request): Promise<AgentRequest | Response> {
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST) {
    return jsonResponse(413, { detail: `a request may have ${LARGEST} bytes` });
  }
  try {
    return parseAgentRequest(await request.text());
  } catch (error) {
    if (error instanceof RequestError) {
      return error.toResponse(sseHeaders());
    }
    throw error;
  }
}
