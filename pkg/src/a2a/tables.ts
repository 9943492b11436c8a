// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

/** The tables that decode a patch (names, words and templates by number), the properties of the root object, and the options. */
export const TABLES = {
  name: "a2a",
  number: 4,
  keys: [
    "task",
    "message",
    "error",
    "code",
    "message",
    "data",
    "id",
    "contextId",
    "status",
    "artifacts",
    "history",
    "metadata",
    "state",
    "message",
    "timestamp",
    "artifactId",
    "name",
    "description",
    "parts",
    "metadata",
    "extensions",
    "messageId",
    "contextId",
    "taskId",
    "role",
    "parts",
    "metadata",
    "extensions",
    "referenceTaskIds",
    "text",
    "raw",
    "url",
    "data",
    "metadata",
    "filename",
    "mediaType",
  ],
  words: [
    "TASK_STATE_UNSPECIFIED",
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_AUTH_REQUIRED",
    "UNRECOGNIZED",
    "ROLE_UNSPECIFIED",
    "ROLE_USER",
    "ROLE_AGENT",
    "UNRECOGNIZED",
  ],
  templates: [
    () => ({ task: null, message: null, error: null }),
    () => ({ code: 0, message: "" }),
    () => ({  }),
    () => ({  }),
    () => ({  }),
    () => ({  }),
    () => ({  }),
  ],
  snapshot: undefined,
  toolCalls: "",
  toolCallType: undefined,
  callsInside: undefined,
  binary: undefined,
  options: [{ name: "requestId", at: 50, values: "json" }, { name: "version", at: 51, values: ["1.0", "0.3"] }, { name: "binding", at: 52, values: ["json-rpc", "rest"] }],
} as const;

/** The options that only this protocol has. */
export interface A2aOptions {
  /** The id of the request, which all events must have: any JSON. If left out, it is that of the first event. */
  readonly requestId?: unknown | undefined;
  /** The version that was asked for, `1.0` or `0.3`. If left out, it is that of the first event. */
  readonly version?: "1.0" | "0.3" | undefined;
  /** How events are sent: `json-rpc` (the default), in JSON-RPC responses, or `rest`, without them. */
  readonly binding?: "json-rpc" | "rest" | undefined;
}
