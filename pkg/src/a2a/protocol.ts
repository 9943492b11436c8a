// A2A as a readable protocol, and its tool calls.

import type { A2aPart, A2aSnapshot, Json } from "../agentwire.js";
import { isObject, stringifyJson, textOf } from "../core/json.js";
import { TABLES } from "../generated/a2a/tables.js";
import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

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

/**
 * Returns the calls and questions of a task, in the order of their appearance. Undefined if the
 * value is not an A2A snapshot.
 */
export function callsOf(snapshot: A2aSnapshot): RawToolCall[] | undefined {
  if (!("task" in snapshot) || !("message" in snapshot) || !("error" in snapshot)) {
    return undefined;
  }
  const { artifacts, status } = snapshot.task ?? {};
  const parts = (artifacts ?? []).flatMap(({ parts }) => (parts ?? []).map(dataOf));
  const results = new Map(
    parts.flatMap(({ call_id: id, output }) =>
      output === undefined ? [] : [[id, textOf(output)] as const],
    ),
  );
  const calls = parts.flatMap(({ call_id: id, name, arguments: input }): RawToolCall[] => {
    if (typeof id !== "string" || input === undefined) {
      return [];
    }
    const result = results.get(id);
    const state = result === undefined ? "called" : "answered";
    const pending = result === undefined && status?.state === "TASK_STATE_COMPLETED";
    return [
      {
        id,
        name: typeof name === "string" ? name : null,
        kind: "call",
        state,
        argumentsText: textOf(input),
        result,
        pending,
      },
    ];
  });
  if (status?.state !== "TASK_STATE_INPUT_REQUIRED") {
    return calls;
  }
  const questions = (status.message?.parts ?? [])
    .map(dataOf)
    .flatMap(({ id, reason, payload }): RawToolCall[] => {
      const name = typeof reason === "string" ? reason : null;
      const raw = payload === undefined ? "" : stringifyJson(payload);
      return typeof id === "string"
        ? [
            {
              id,
              name,
              kind: "approval",
              state: "called",
              argumentsText: raw,
              result: undefined,
              pending: true,
            },
          ]
        : [];
    });
  return [...calls, ...questions];
}

function dataOf({ data }: A2aPart): { readonly [key: string]: Json | undefined } {
  return isObject(data) ? data : {};
}
