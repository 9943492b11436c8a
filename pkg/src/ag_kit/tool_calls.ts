// The tool calls of an AG-Kit turn.

import type { AgKitTurn } from "../agentwire.js";
import type { Said } from "../tool_call_view.js";

const STATES = { "input-streaming": "streaming", "input-available": "called", "output-available": "answered" } as const;

/** The calls of a turn, in the order of their appearance; undefined for what is none. */
export function callsOf(turn: AgKitTurn): Said[] | undefined {
  if (!("parts" in turn)) {
    return undefined;
  }
  const { parts, pendingToolCallIds } = turn;
  return parts.flatMap((part) => {
    if (part.type !== "tool-call") {
      return [];
    }
    const { toolCallId: id, toolCallName: name, state, arguments: raw, result } = part;
    const pending = pendingToolCallIds.includes(id);
    return { id, name, kind: "call", state: STATES[state], raw, result: result ?? undefined, pending };
  });
}
