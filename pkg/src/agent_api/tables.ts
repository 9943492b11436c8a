// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

/** The tables that decode a patch (names, words and templates by number), the properties of the root object, and the options. */
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
 * The status of a response, message or content.
 * Servers may send other values.
 */
export const RUN_STATUSES = ["created", "in_progress", "completed", "canceled", "failed", "rejected", "unknown", "queued", "incomplete"] as const;

/**
 * The role of the sender of a message.
 * Servers may send other values.
 */
export const ROLES = ["assistant", "user", "system", "tool"] as const;

/**
 * The type of a message.
 * Servers may send other values.
 */
export const MESSAGE_TYPES = ["message", "function_call", "function_call_output", "plugin_call", "plugin_call_output", "component_call", "component_call_output", "mcp_list_tools", "mcp_approval_request", "mcp_call", "mcp_approval_response", "mcp_call_output", "reasoning", "heartbeat", "error", "a2ui_response", "a2ui_action"] as const;

/**
 * The type of a content.
 * Servers may send other values.
 */
export const CONTENT_TYPES = ["text", "data", "image", "audio", "file", "refusal", "video"] as const;

/** The options that only this protocol has. */
export interface AgentApiOptions {
  /**
   * The official rule by which deltas of data are merged. `builder` (the default) adds, concatenates and replaces
   * values as the server's builder does; `message` only appends to strings and lists that already exist.
   */
  readonly dataMerge?: "builder" | "message" | undefined;
  /** Whether the snapshot keeps messages of type `heartbeat`. False by default. */
  readonly keepHeartbeats?: boolean | undefined;
}
