// AG-Kit as a readable protocol.

import type { Readable } from "../readable.js";
import { TABLES } from "./tables.js";

export { callsOf } from "./tool_calls.js";

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
