// What reading the Agent API gives. Types only.

import type { AgentRequest, Response, ToolCall } from "../agentwire.js";
import type { AgentApiEvent } from "./events.js";

/** What there is to read. */
export interface AgentApiTypes {
  readonly answer: Response;
  readonly toolCall: ToolCall;
  readonly event: AgentApiEvent;
  readonly request: AgentRequest;
}
