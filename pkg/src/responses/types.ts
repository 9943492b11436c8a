// The types that belong to OpenAI Responses.

import type { CreateResponse, ResponsesFunctionCall, ResponsesResponse } from "../agentwire.js";
import type { ResponsesEvent } from "../generated/responses/events.js";

/**
 * The current Response object. It is plain data; unchanged parts keep their identity between
 * updates.
 */
export interface Snapshot extends ResponsesResponse {}

/** The types of snapshots, tool calls, events and requests. */
export interface ResponsesTypes {
  readonly answer: Snapshot;
  readonly toolCall: ResponsesFunctionCall;
  readonly event: ResponsesEvent;
  readonly request: CreateResponse;
}
