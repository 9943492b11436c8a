// The tool calls of an AG-UI thread.

import type { AgUiSnapshot } from "../agentwire.js";
import type { Said } from "../tool_call_view.js";

/** The calls of all messages, in order; undefined for what is none. */
export function callsOf(snapshot: AgUiSnapshot): Said[] | undefined {
  if (!("pendingToolCallIds" in snapshot) || !("messages" in snapshot)) {
    return undefined;
  }
  const { messages, pendingToolCallIds, status } = snapshot;
  const results = new Map<string, string>();
  for (const { role, toolCallId, content } of messages) {
    if (role === "tool" && toolCallId !== undefined) {
      results.set(toolCallId, typeof content === "string" ? content : JSON.stringify(content));
    }
  }
  return messages.flatMap(({ toolCalls }) =>
    (toolCalls ?? []).map(({ id, function: { name, arguments: raw } }) => {
      const result = results.get(id);
      const over = status !== "running" && status !== "incomplete";
      const state = result !== undefined ? "answered" : over ? "called" : "streaming";
      return { id, name, kind: "call", state, raw, result, pending: pendingToolCallIds.includes(id) } as const;
    }),
  );
}
