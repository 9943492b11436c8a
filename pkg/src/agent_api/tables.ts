// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

/** What the numbers of a patch stand for, where the answer is in the root object, and the options. */
export const TABLES = {
  name: "agent-api",
  number: 0,
  keys: [
    "response",
    "toolCalls",
    "code",
    "message",
    "callId",
    "name",
    "type",
    "state",
    "messageId",
    "index",
    "outputMessageId",
    "outputIndex",
    "sequence_number",
    "object",
    "status",
    "error",
    "id",
    "created_at",
    "completed_at",
    "output",
    "usage",
    "session_id",
    "sequence_number",
    "object",
    "status",
    "error",
    "id",
    "type",
    "role",
    "content",
    "code",
    "message",
    "usage",
    "metadata",
    "sequence_number",
    "object",
    "status",
    "error",
    "type",
    "index",
    "delta",
    "msg_id",
    "text",
    "data",
    "image_url",
    "data",
    "format",
    "file_url",
    "file_id",
    "filename",
    "file_data",
    "refusal",
    "video_url",
  ],
  words: [
    "streaming",
    "called",
    "answered",
    "created",
    "in_progress",
    "completed",
    "canceled",
    "failed",
    "rejected",
    "unknown",
    "queued",
    "incomplete",
    "assistant",
    "user",
    "system",
    "tool",
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
    "text",
    "data",
    "image",
    "audio",
    "file",
    "refusal",
    "video",
  ],
  templates: [
    () => ({ response: null, toolCalls: [] }),
    () => ({ code: "", message: "" }),
    () => ({ callId: null, name: null, type: "message", state: "streaming", messageId: null, index: null, outputMessageId: null, outputIndex: null }),
    () => ({ sequence_number: null, object: "response", status: "created", error: null, id: "", created_at: null, completed_at: null, output: [], usage: null, session_id: null }),
    () => ({ sequence_number: null, object: "message", status: "in_progress", error: null, id: "", type: "message", role: null, content: [], code: null, message: null, usage: null, metadata: null }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "", index: 0, delta: false, msg_id: "" }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "text", index: 0, delta: false, msg_id: "", text: null }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "data", index: 0, delta: false, msg_id: "", data: null }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "image", index: 0, delta: false, msg_id: "", image_url: null }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "audio", index: 0, delta: false, msg_id: "", data: null, format: null }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "file", index: 0, delta: false, msg_id: "", file_url: null, file_id: null, filename: null, file_data: null }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "refusal", index: 0, delta: false, msg_id: "", refusal: null }),
    () => ({ sequence_number: null, object: "content", status: "in_progress", error: null, type: "video", index: 0, delta: false, msg_id: "", video_url: null }),
  ],
  snapshot: "response",
  toolCalls: "toolCalls",
  toolCallType: undefined,
  callsInside: undefined,
  binary: undefined,
  options: [{ name: "dataMerge", at: 18, values: ["builder", "message"] }, { name: "keepHeartbeats", at: 19, values: "flag" }],
} as const;

/**
 * How far a response, message or content has come.
 * Servers may say something else.
 */
export const RUN_STATUSES = ["created", "in_progress", "completed", "canceled", "failed", "rejected", "unknown", "queued", "incomplete"] as const;

/**
 * Who a message is from.
 * Servers may say something else.
 */
export const ROLES = ["assistant", "user", "system", "tool"] as const;

/**
 * What a message is.
 * Servers may say something else.
 */
export const MESSAGE_TYPES = ["message", "function_call", "function_call_output", "plugin_call", "plugin_call_output", "component_call", "component_call_output", "mcp_list_tools", "mcp_approval_request", "mcp_call", "mcp_approval_response", "mcp_call_output", "reasoning", "heartbeat", "error", "a2ui_response", "a2ui_action"] as const;

/**
 * What a content is.
 * Servers may say something else.
 */
export const CONTENT_TYPES = ["text", "data", "image", "audio", "file", "refusal", "video"] as const;

/** The options of this protocol alone. */
export interface AgentApiOptions {
  /**
   * Which of the two official rules merges pieces of data. `builder` (the default) adds, concatenates and replaces as
   * the server's builder does; `message` only continues texts and lists that are already there.
   */
  readonly dataMerge?: "builder" | "message" | undefined;
  /** Keep messages of type heartbeat in the answer. */
  readonly keepHeartbeats?: boolean | undefined;
}
