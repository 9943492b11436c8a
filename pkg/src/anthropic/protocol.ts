// Anthropic Messages as a readable protocol, and its tool calls.

import type { AnthropicBlock, AnthropicMessage, Json } from "../agentwire.js";
import { textOrEmpty } from "../core/json.js";
import { TABLES } from "../generated/anthropic/tables.js";
import { GROWTH } from "../read/more_ops.js";
import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of Anthropic Messages. */
export const ANTHROPIC: Readable = { tables: TABLES, more: GROWTH, sample };

function sample(): string {
  const event = (type: string, more: string): string =>
    `event: ${type}\ndata: {"type":"${type}"${more}}\n\n`;
  return [
    event(
      "message_start",
      `,"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"output_tokens":1}}`,
    ),
    event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`),
    event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"é a"}`).repeat(
      24,
    ),
    event("content_block_stop", `,"index":0`),
    event(
      "content_block_start",
      `,"index":1,"content_block":{"type":"tool_use","id":"c","name":"n","input":{}}`,
    ),
    event(
      "content_block_delta",
      `,"index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}`,
    ),
    event("content_block_stop", `,"index":1`),
    event("message_delta", `,"delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}`),
    event("message_stop", ""),
  ].join("");
}

/** A block with the properties of every type. */
type AnyBlock = AnthropicBlock & { readonly [member: string]: Json | undefined };

/**
 * Returns the calls of tools, in order. Undefined if the value is not a message. The calls of the
 * server's own tools have their results in the message; the others wait for the client when the
 * message has ended.
 */
export function callsOf(message: AnthropicMessage): RawToolCall[] | undefined {
  if (!("content" in message) || message.type !== "message" || !("stop_reason" in message)) {
    return undefined;
  }
  const blocks = message.content as readonly AnyBlock[];
  const results = new Map(
    blocks.flatMap(({ tool_use_id: id, content }) =>
      typeof id === "string" ? [[id, textOrEmpty(content)] as const] : [],
    ),
  );
  const over = message.status !== "in_progress";
  return blocks.flatMap((block, at): RawToolCall[] => {
    if (!CALLS.has(block.type)) {
      return [];
    }
    const { partial_json: raw, input } = block;
    const id = textOrEmpty(block["id"]);
    const result = results.get(id);
    // A block is complete when the next one has started, or its input has been parsed.
    const done = over || at + 1 < blocks.length;
    const state = result !== undefined ? "answered" : done ? "called" : "streaming";
    const argumentsText = raw === undefined || raw === "" ? textOrEmpty(input) : raw;
    const pending = message.status === "completed" && block.type === "tool_use";
    return [
      {
        id,
        name: textOrEmpty(block["name"]),
        kind: "call",
        state,
        argumentsText,
        holder: block,
        result,
        pending,
      },
    ];
  });
}

const CALLS: ReadonlySet<string> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);
