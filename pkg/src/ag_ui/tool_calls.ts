// Finds the tool calls of an AG-UI thread.

import type { AgUiSnapshot, Json } from "../agentwire.js";
import { stringifyJson } from "../json.js";
import type { Said } from "../tool_call_view.js";

/**
 * Returns the calls of all messages, in order, and then the pending interrupts. Undefined if the value is not an AG-UI snapshot. The
 * properties of an interrupt except its id and reason are its arguments.
 */
export function callsOf(snapshot: AgUiSnapshot): Said[] | undefined {
  if (!("pendingToolCallIds" in snapshot) || !("messages" in snapshot)) {
    return undefined;
  }
  const { messages, pendingToolCallIds, pendingInterrupts, status } = snapshot;
  const results = new Map<string, string>();
  for (const { role, toolCallId, content } of messages) {
    if (role === "tool" && toolCallId !== undefined) {
      results.set(toolCallId, typeof content === "string" ? content : JSON.stringify(content));
    }
  }
  const calls = messages.flatMap(({ toolCalls }) =>
    (toolCalls ?? []).map(({ id, function: holder }) => {
      const { name, arguments: raw } = holder;
      const result = results.get(id);
      const over = status !== "running" && status !== "incomplete";
      const state = result !== undefined ? "answered" : over ? "called" : "streaming";
      return { id, name, kind: "call", state, argumentsText: raw, holder, result, pending: pendingToolCallIds.includes(id) } as const;
    }),
  );
  const interrupts = (Array.isArray(pendingInterrupts) ? pendingInterrupts : []).map((interrupt) => {
    const { id, reason, ...rest } = Object(interrupt) as { readonly id: string; readonly reason: string } & Record<string, Json>;
    return { id, name: reason, kind: "approval", state: "called", argumentsText: stringifyJson(rest), result: undefined, pending: true } as const;
  });
  return [...calls, ...interrupts];
}
