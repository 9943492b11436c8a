// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

/** The tables that decode a patch (names, words and templates by number), the properties of the root object, and the options. */
export const TABLES = {
  name: "ag-kit",
  number: 1,
  keys: [
    "status",
    "parts",
    "error",
    "pendingToolCallIds",
    "text",
    "toolCallId",
    "toolCallName",
    "state",
    "arguments",
    "parsedArguments",
    "argumentsError",
    "result",
    "id",
    "reason",
    "payload",
    "message",
    "details",
    "message",
    "details",
  ],
  words: [
    "streaming",
    "completed",
    "awaiting-tool-results",
    "interrupted",
    "failed",
    "truncated",
    "input-streaming",
    "input-available",
    "output-available",
  ],
  templates: [
    () => ({ status: "streaming", parts: [], error: null, pendingToolCallIds: [] }),
    () => ({ type: "text", text: "" }),
    () => ({ type: "tool-call", toolCallId: "", toolCallName: "", state: "input-streaming", arguments: "", parsedArguments: null, argumentsError: null, result: null }),
    () => ({ type: "interrupt", id: "", reason: null, payload: null }),
    () => ({ message: "", details: null }),
    () => ({ type: "error", message: "", details: null }),
  ],
  snapshot: undefined,
  toolCalls: "parts",
  toolCallType: "tool-call",
  callsInside: undefined,
  binary: undefined,
  options: [{ name: "doneIsOptional", at: 26, values: "flag" }, { name: "clientTools", at: 27, values: "names" }],
} as const;

/** The options that only this protocol has. */
export interface AgKitOptions {
  /**
   * Whether a stream can end without `[DONE]`, as the examples of the documentation do. If false (the default), a
   * missing `[DONE]` is reported as a warning, and a conversion treats the stream as truncated. In both cases the
   * turn has ended, unless the stream stops inside a tool call: then it is truncated.
   */
  readonly doneIsOptional?: boolean | undefined;
  /**
   * The names of the request's tools. The client answers calls of exactly these tools. By default it answers every
   * call that has no result when the stream ends.
   */
  readonly clientTools?: readonly string[] | undefined;
}
