// What reading OpenAI Responses gives. Types only.

import type { CreateResponse, ResponsesFunctionCall, ResponsesResponse } from "../agentwire.js";
import type { ResponsesEvent } from "./events.js";

/** What there is to read. */
export interface ResponsesTypes {
  readonly answer: ResponsesResponse;
  readonly toolCall: ResponsesFunctionCall;
  readonly event: ResponsesEvent;
  readonly request: CreateResponse;
}
