// OpenAI Chat Completions as a readable protocol, and its tool calls.

import type { ChatCompletion } from "../agentwire.js";
import { TABLES } from "../generated/chat/tables.js";
import { GROWTH } from "../read/more_ops.js";
import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of Chat Completions. */
export const CHAT: Readable = { tables: TABLES, more: GROWTH, sample };

function sample(): string {
  const chunk = (choice: string): string =>
    `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,${choice}}]}\n\n`;
  return [
    chunk(`"delta":{"role":"assistant","content":""}`),
    chunk(`"delta":{"content":"é a"}`).repeat(24),
    chunk(
      `"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"n","arguments":""}}]}`,
    ),
    chunk(`"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}`),
    chunk(`"delta":{},"finish_reason":"tool_calls"`),
    "data: [DONE]\n\n",
  ].join("");
}

/**
 * Returns the calls of functions and custom tools in all choices, in order. Undefined if the value
 * is not a completion. The calls of a choice are complete when it has a finish reason; those of the
 * first choice wait for the client when the completion has ended.
 */
export function callsOf(completion: ChatCompletion): RawToolCall[] | undefined {
  if (!("choices" in completion)) {
    return undefined;
  }
  return completion.choices.flatMap(({ message, finish_reason: reason }, at) => {
    const state = reason === null ? "streaming" : "called";
    const pending = at === 0 && completion.status === "completed";
    const shared = { kind: "call", state, result: undefined, pending } as const;
    const calls = (message.tool_calls ?? []).map(
      ({ id, function: called, custom }): RawToolCall => {
        const { name, arguments: argumentsText } = called ?? {
          name: custom?.name ?? "",
          arguments: custom?.input ?? "",
        };
        return { ...shared, id, name, argumentsText, holder: called ?? custom };
      },
    );
    const { function_call: only } = message;
    return only === undefined
      ? calls
      : [
          ...calls,
          { ...shared, id: null, name: only.name, argumentsText: only.arguments, holder: only },
        ];
  });
}
