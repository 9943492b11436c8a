// The types that belong to the Agent API.

import type { AgentRequest, Response, ToolCall } from "../agentwire.js";
import type { AgentApiEvent } from "../generated/agent_api/events.js";

/**
 * The response of one run. It is plain data; unchanged parts keep their identity between updates.
 */
export interface Snapshot extends Response {}

/** The types of snapshots, tool calls, events and requests. */
export interface AgentApiTypes {
  readonly answer: Snapshot;
  readonly toolCall: ToolCall;
  readonly event: AgentApiEvent;
  readonly request: AgentRequest;
}

/** A content event: a delta (`delta: true`) or a whole content. */
export type WireContent = Extract<AgentApiEvent, { readonly object: "content" }>;
