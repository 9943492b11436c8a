// OpenAI Responses as a readable protocol.

import { INSERTS } from "../patch_inserts.js";
import type { Readable } from "../readable.js";
import { TABLES } from "./tables.js";

export { callsOf } from "./tool_calls.js";

/** The tables and the sample stream of OpenAI Responses. */
export const RESPONSES: Readable = { tables: TABLES, more: INSERTS, sample };

function sample(): string {
  const response = (status: string) => `"response":{"id":"r","object":"response","status":"${status}","output":[]}`;
  const call = `"type":"function_call","id":"c","call_id":"c","name":"n"`;
  return [
    `{"type":"response.created",${response("in_progress")}}`,
    `{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`,
    `{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`,
    ...Array<string>(24).fill(
      `{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"é a"}`,
    ),
    `{"type":"response.output_item.added","output_index":1,"item":{${call},"arguments":""}}`,
    `{"type":"response.function_call_arguments.delta","item_id":"c","output_index":1,"delta":"{}"}`,
    `{"type":"response.output_item.done","output_index":1,"item":{${call},"arguments":"{}"}}`,
    `{"type":"response.failed",${response("failed")}}`,
  ]
    .map((event) => `data: ${event}\n\n`)
    .join("");
}
