// The Agent API as a readable protocol.

import { GROWTH } from "../patch_growth.js";
import type { Readable } from "../readable.js";
import { TABLES } from "./tables.js";

export { callsOf } from "./tool_calls.js";

/** The tables and the sample stream of the Agent API. */
export const AGENT_API: Readable = { tables: TABLES, more: GROWTH, sample };

function sample(): string {
  const data = { type: "data", data: { call_id: "c", name: "n", arguments: "{}" } };
  const text = { type: "text", text: "é a" };
  return [
    event("response", "created", { id: "r", output: [] }),
    message("m", "message", text, { ...text, text: text.text.repeat(24) }, 24),
    message("c", "plugin_call", data, data, 1),
    event("response", "completed", { id: "r", output: [], usage: {} }),
  ].join("");
}

function message(id: string, type: string, piece: object, whole: object, pieces: number): string {
  const head = { id, type, role: "assistant", content: null, usage: null };
  const place = { index: 0, msg_id: id };
  return [
    event("message", "in_progress", head),
    event("content", "in_progress", { ...piece, ...place, delta: true }).repeat(pieces),
    event("content", "completed", { ...whole, ...place, delta: false }),
    event("message", "completed", { ...head, content: [{ ...whole, ...place }] }),
  ].join("");
}

function event(object: string, status: string, rest: object): string {
  return `data: ${JSON.stringify({ sequence_number: 0, object, status, error: null, ...rest })}\n\n`;
}
