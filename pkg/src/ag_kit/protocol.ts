// AG-Kit as a readable protocol, and its tool calls.

import type { AgKitTurn } from "../agentwire.js";
import { stringifyJson } from "../core/json.js";
import { TABLES } from "../generated/ag_kit/tables.js";
import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of AG-Kit. */
export const AG_KIT: Readable = { tables: TABLES, more: {}, sample };

function sample(): string {
  return [
    `data: {"type":"text","content":"é a"}\n\n`.repeat(24),
    `data: {"type":"tool-call-start","toolCallId":"c","toolCallName":"n"}\n\n`,
    `data: {"type":"tool-call-args","toolCallId":"c","delta":"{}"}\n\n`,
    `data: {"type":"tool-call-end","toolCallId":"c"}\n\ndata: [DONE]\n\n`,
  ].join("");
}

const STATES = {
  "input-streaming": "streaming",
  "input-available": "called",
  "output-available": "answered",
} as const;

/**
 * Returns the calls and interrupts of a turn, in the order of their appearance. Undefined if the
 * value is not a turn.
 */
export function callsOf(turn: AgKitTurn): RawToolCall[] | undefined {
  // A message of the AI SDK has parts, too.
  if (!("parts" in turn && "pendingToolCallIds" in turn)) {
    return undefined;
  }
  const { parts, pendingToolCallIds, status } = turn;
  return parts.flatMap((part): RawToolCall[] => {
    if (part.type === "interrupt") {
      const { id, reason: name, payload } = part;
      const raw = stringifyJson(payload);
      return [
        {
          id,
          name,
          kind: "approval",
          state: "called",
          argumentsText: raw,
          result: undefined,
          pending: status === "interrupted",
        },
      ];
    }
    if (part.type !== "tool-call") {
      return [];
    }
    const { toolCallId: id, toolCallName: name, state, arguments: raw, result } = part;
    const pending = pendingToolCallIds.includes(id);
    return [
      {
        id,
        name,
        kind: "call",
        state: STATES[state],
        argumentsText: raw,
        holder: part,
        result: result ?? undefined,
        pending,
      },
    ];
  });
}
