// The types that belong to the AI SDK.

import type { AiSdkMessage, AiSdkPart, AiSdkRequest } from "../agentwire.js";
import type { AiSdkEvent } from "../generated/ai_sdk/events.js";

/** The types of snapshots, tool calls, events and requests. */
export interface AiSdkTypes {
  readonly answer: AiSdkMessage;
  readonly toolCall: AiSdkPart;
  readonly event: AiSdkEvent;
  readonly request: AiSdkRequest;
}
