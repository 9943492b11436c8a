// AG-UI as a readable protocol, and its tool calls.

import type { AgUiSnapshot, Json } from "../agentwire.js";
import { stringifyJson } from "../core/json.js";
import { TABLES } from "../generated/ag_ui/tables.js";
import { MOVES } from "../read/more_ops.js";
import { type Readable, streamOfData } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of AG-UI. */
export const AG_UI: Readable = { tables: TABLES, more: MOVES, sample };

function sample(): string {
  const run = `"threadId":"t","runId":"r"`;
  return streamOfData([
    `{"type":"RUN_STARTED",${run}}`,
    `{"type":"TEXT_MESSAGE_START","messageId":"m"}`,
    ...Array<string>(24).fill(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"é a"}`),
    `{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
    `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}`,
    `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}`,
    `{"type":"TOOL_CALL_END","toolCallId":"c"}`,
    `{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}`,
    `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/b","value":[1]}]}`,
    `{"type":"RUN_FINISHED",${run}}`,
  ]);
}

/**
 * Returns the calls of all messages, in order, and then the pending interrupts. Undefined if the
 * value is not an AG-UI snapshot. The properties of an interrupt except its id and reason are its
 * arguments.
 */
export function callsOf(snapshot: AgUiSnapshot): RawToolCall[] | undefined {
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
      return {
        id,
        name,
        kind: "call",
        state,
        argumentsText: raw,
        holder,
        result,
        pending: pendingToolCallIds.includes(id),
      } as const;
    }),
  );
  const interrupts = (Array.isArray(pendingInterrupts) ? pendingInterrupts : []).map(
    (interrupt) => {
      const { id, reason, ...rest } = Object(interrupt) as {
        readonly id: string;
        readonly reason: string;
      } & Record<string, Json>;
      return {
        id,
        name: reason,
        kind: "approval",
        state: "called",
        argumentsText: stringifyJson(rest),
        result: undefined,
        pending: true,
      } as const;
    },
  );
  return [...calls, ...interrupts];
}
