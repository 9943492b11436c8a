// AG-UI as a readable protocol.

import { MOVES } from "../patch_moves.js";
import type { Readable } from "../readable.js";
import { TABLES } from "./tables.js";

export { callsOf } from "./tool_calls.js";

/** The tables and the sample stream of AG-UI. */
export const AG_UI: Readable = { tables: TABLES, more: MOVES, sample };

function sample(): string {
  const run = `"threadId":"t","runId":"r"`;
  return [
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
  ]
    .map((event) => `data: ${event}\n\n`)
    .join("");
}
