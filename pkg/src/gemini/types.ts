// The types that belong to Gemini.

import type { GeminiFunctionCall, GeminiResponse, GenerateContentRequest } from "../agentwire.js";
import type { GeminiEvent } from "../generated/gemini/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface GeminiTypes {
  readonly answer: GeminiResponse;
  readonly toolCall: GeminiFunctionCall;
  readonly event: GeminiEvent;
  readonly request: GenerateContentRequest;
}
