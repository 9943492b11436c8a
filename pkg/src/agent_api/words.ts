// The words of the Agent API: what `all_values()` gives in Python. All of them are open: servers may send others.

import type { ContentType, MessageType, Role, RunStatus } from "../agentwire.js";

/** Who a message is from. */
export const ROLES = ["assistant", "user", "system", "tool"] as const satisfies readonly Role[];

/** What a message is. */
export const MESSAGE_TYPES = [
  "message",
  "function_call",
  "function_call_output",
  "plugin_call",
  "plugin_call_output",
  "component_call",
  "component_call_output",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_call",
  "mcp_approval_response",
  "mcp_call_output",
  "reasoning",
  "heartbeat",
  "error",
  "a2ui_response",
  "a2ui_action",
] as const satisfies readonly MessageType[];

/** How far a response, message or content has come. */
export const RUN_STATUSES = [
  "created",
  "in_progress",
  "completed",
  "canceled",
  "failed",
  "rejected",
  "unknown",
  "queued",
  "incomplete",
] as const satisfies readonly RunStatus[];

/** What a content is. */
export const CONTENT_TYPES = ["text", "data", "image", "audio", "file", "refusal", "video"] as const satisfies readonly ContentType[];
