// Gemini as a readable protocol, and its tool calls.

import type { GeminiResponse, Json } from "../agentwire.js";
import { textOf, textOrEmpty } from "../core/json.js";
import { TABLES } from "../generated/gemini/tables.js";
import { GROWTH, INSERTS } from "../read/more_ops.js";
import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of Gemini. */
export const GEMINI: Readable = { tables: TABLES, more: { ...GROWTH, ...INSERTS }, sample };

function sample(): string {
  const chunk = (part: string, more = ""): string =>
    `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"}${more}}],"responseId":"r"}\n\n`;
  return [
    chunk(`{"text":"é a"}`).repeat(24),
    chunk(`{"functionCall":{"name":"n","args":{}}}`, `,"finishReason":"STOP"`),
  ].join("");
}

/** The properties of calls and results of the server's tools. */
type ServerToolPart = { readonly [member: string]: Json | undefined };

/**
 * Returns the calls of functions and of the server's tools in all candidates, in order. Undefined
 * if the value is not a response. A call without an id has one that is made of its place. The calls
 * of functions in the first candidate wait for the client when the response has ended.
 */
export function callsOf(response: GeminiResponse): RawToolCall[] | undefined {
  if (!("candidates" in response)) {
    return undefined;
  }
  return response.candidates.flatMap(({ content: { parts } }, candidate) => {
    const results = new Map<string, string>();
    let code = "";
    parts.forEach(
      ({ executableCode, codeExecutionResult: done, toolResponse, functionResponse }, at) => {
        code = executableCode === undefined ? code : idOf(executableCode, candidate, at);
        for (const [result, output, id] of [
          [done, "output", code],
          [toolResponse, "response", ""],
          [functionResponse, "response", ""],
        ] as const) {
          const { id: own, [output]: value } = Object(result) as ServerToolPart;
          if (result !== undefined)
            results.set(typeof own === "string" ? own : id, textOrEmpty(value));
        }
      },
    );
    return parts.flatMap(
      ({ functionCall: called, executableCode, toolCall }, at): RawToolCall[] => {
        const rawCall = (
          call: object,
          name: Json | undefined,
          input: Json | undefined,
          streams = false,
        ): RawToolCall => {
          const id = idOf(call, candidate, at);
          const result = results.get(id);
          const pending =
            call === called &&
            candidate === 0 &&
            result === undefined &&
            response.status === "completed";
          const state = result !== undefined ? "answered" : streams ? "streaming" : "called";
          return {
            id,
            name: String(name ?? ""),
            kind: "call",
            state,
            argumentsText: textOf(input ?? {}),
            result,
            pending,
          };
        };
        const { code: source } = Object(executableCode) as ServerToolPart;
        const { toolType, args } = Object(toolCall) as ServerToolPart;
        return [
          ...(called === undefined
            ? []
            : [rawCall(called, called.name, called.args, called.willContinue === true)]),
          ...(executableCode == null
            ? []
            : [rawCall(Object(executableCode), "code_execution", source)]),
          ...(toolCall == null ? [] : [rawCall(Object(toolCall), toolType, args)]),
        ];
      },
    );
  });
}

/** Returns the id of a call, or one that is made of its place. */
function idOf(call: Json | object, candidate: number, at: number): string {
  const { id } = Object(call) as ServerToolPart;
  return typeof id === "string" ? id : `call-${candidate}-${at}`;
}
