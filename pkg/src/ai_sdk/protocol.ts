// The AI SDK UI message stream as a readable protocol, and its tool calls.

import type { AiSdkMessage, AiSdkPart, Json } from "../agentwire.js";
import { stringifyJson, textOf } from "../core/json.js";
import { TABLES } from "../generated/ai_sdk/tables.js";
import { type Readable, streamOfData } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of the AI SDK. */
export const AI_SDK: Readable = { tables: TABLES, more: {}, sample };

function sample(): string {
  const call = `"toolCallId":"c"`;
  return streamOfData([
    `{"type":"start","messageId":"m"}`,
    `{"type":"start-step"}`,
    `{"type":"text-start","id":"t"}`,
    ...Array<string>(24).fill(`{"type":"text-delta","id":"t","delta":"é a"}`),
    `{"type":"text-end","id":"t"}`,
    `{"type":"tool-input-start",${call},"toolName":"n"}`,
    `{"type":"tool-input-delta",${call},"inputTextDelta":"{}"}`,
    `{"type":"tool-input-available",${call},"toolName":"n","input":{}}`,
    `{"type":"finish","finishReason":"tool-calls"}`,
    "[DONE]",
  ]);
}

/** A part with the properties of every type. */
export type AnyPart = AiSdkPart & { readonly [member: string]: Json | undefined };

/** Returns the name of the tool, if the part is a call. */
export function toolOf({ type, toolName }: AnyPart): string | undefined {
  return type === "dynamic-tool"
    ? (toolName as string)
    : type.startsWith("tool-")
      ? type.slice("tool-".length)
      : undefined;
}

/**
 * Returns the tool calls, and the questions about them, in the order of their appearance. Undefined
 * if the value is not a message. When the message has ended, the client answers calls without an
 * output, unless the server or the provider executes the tool.
 */
export function callsOf(message: AiSdkMessage): RawToolCall[] | undefined {
  if (!("parts" in message) || message.role !== "assistant") {
    return undefined;
  }
  const over = message.status === "completed";
  return (message.parts as readonly AnyPart[]).flatMap((part): RawToolCall[] => {
    const name = toolOf(part);
    if (name === undefined) {
      return [];
    }
    const {
      toolCallId: id = "",
      state,
      input,
      rawInput,
      output,
      errorText,
      approval,
      providerExecuted,
    } = part;
    const argumentsText = rawInput ?? (input === undefined ? "" : stringifyJson(input));
    const result =
      errorText ??
      (output === undefined ? (state === "output-denied" ? "" : undefined) : textOf(output));
    const call: RawToolCall = {
      id,
      name,
      kind: "call",
      state:
        result !== undefined ? "answered" : state === "input-streaming" ? "streaming" : "called",
      argumentsText,
      holder: part,
      result,
      pending: over && state === "input-available" && providerExecuted !== true,
    };
    const question = approval as
      | { readonly id: string; readonly approved?: boolean; readonly reason?: string }
      | undefined;
    if (question === undefined) {
      return [call];
    }
    const decided = question.approved ?? (state === "output-denied" ? false : undefined);
    const answer =
      decided === undefined
        ? undefined
        : stringifyJson({
            approved: decided,
            ...(question.reason !== undefined && { reason: question.reason }),
          });
    const pending = over && state === "approval-requested";
    return [
      call,
      {
        id: question.id,
        name,
        kind: "approval",
        state: answer === undefined ? "called" : "answered",
        argumentsText,
        result: answer,
        pending,
      },
    ];
  });
}
