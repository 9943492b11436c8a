// Finds the tool calls of an AG-Kit turn, and its interrupts, which are questions.

import type { AgKitTurn } from "../agentwire.js";
import { stringifyJson } from "../json.js";
import type { Said } from "../tool_call_view.js";

const STATES = { "input-streaming": "streaming", "input-available": "called", "output-available": "answered" } as const;

/** Returns the calls and interrupts of a turn, in the order of their appearance. Undefined if the value is not a turn. */
export function callsOf(turn: AgKitTurn): Said[] | undefined {
  if (!("parts" in turn)) {
    return undefined;
  }
  const { parts, pendingToolCallIds, status } = turn;
  return parts.flatMap((part): Said[] => {
    if (part.type === "interrupt") {
      const { id, reason: name, payload } = part;
      const raw = stringifyJson(payload);
      return [{ id, name, kind: "approval", state: "called", argumentsText: raw, result: undefined, pending: status === "interrupted" }];
    }
    if (part.type !== "tool-call") {
      return [];
    }
    const { toolCallId: id, toolCallName: name, state, arguments: raw, result } = part;
    const pending = pendingToolCallIds.includes(id);
    return [{ id, name, kind: "call", state: STATES[state], argumentsText: raw, holder: part, result: result ?? undefined, pending }];
  });
}
