// A2A as a readable protocol.

import type { Readable } from "../readable.js";
import { TABLES } from "./tables.js";

export { callsOf } from "./tool_calls.js";

/** The tables and the sample stream of A2A. */
export const A2A: Readable = { tables: TABLES, more: {}, sample };

function sample(): string {
  const task = `"taskId":"t","contextId":"c"`;
  const artifact = (parts: string, append: string): string =>
    `{"artifactUpdate":{${task},"artifact":{"artifactId":"a","parts":[${parts}]}${append}}}`;
  return [
    `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}`,
    artifact(`{"text":"é a"}`, ""),
    ...Array<string>(24).fill(artifact(`{"text":"é a"}`, `,"append":true`)),
    artifact(`{"data":{"call_id":"c","name":"n","arguments":"{}"}}`, `,"append":true`),
    `{"statusUpdate":{${task},"status":{"state":"TASK_STATE_COMPLETED"}}}`,
  ]
    .map((result) => `data: {"jsonrpc":"2.0","id":1,"result":${result}}\n\n`)
    .join("");
}
