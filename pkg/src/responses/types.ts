// The types that belong to OpenAI Responses.

import type { CreateResponse, ResponsesFunctionCall, ResponsesResponse } from "../agentwire.js";
import type { ResponsesEvent } from "../generated/responses/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface ResponsesTypes {
  readonly answer: ResponsesResponse;
  readonly toolCall: ResponsesFunctionCall;
  readonly event: ResponsesEvent;
  readonly request: CreateResponse;
}
