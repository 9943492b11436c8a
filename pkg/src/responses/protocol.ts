// OpenAI Responses as a readable protocol, and its tool calls.

import type { Json, ResponsesItem, ResponsesResponse } from "../agentwire.js";
import { stringifyJson, textOrEmpty } from "../core/json.js";
import { TABLES } from "../generated/responses/tables.js";
import { INSERTS } from "../read/more_ops.js";
import { type Readable, streamOfData } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of OpenAI Responses. */
export const RESPONSES: Readable = { tables: TABLES, more: INSERTS, sample };

function sample(): string {
  const response = (status: string) =>
    `"response":{"id":"r","object":"response","status":"${status}","output":[]}`;
  const call = `"type":"function_call","id":"c","call_id":"c","name":"n"`;
  return streamOfData([
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
  ]);
}

/** An item with the properties of every type. */
type AnyItem = ResponsesItem & { readonly [member: string]: Json | undefined };

/**
 * Returns the calls of functions, custom tools and MCP servers, and the questions whether a tool
 * may be called, in order. Undefined if the value is not a response. Calls of the server's own
 * tools are not included: they are items of other types and need no answer.
 */
export function callsOf(response: ResponsesResponse): RawToolCall[] | undefined {
  if (!("output" in response) || !("status" in response) || "session_id" in response) {
    return undefined;
  }
  const items = response.output as readonly AnyItem[];
  const results = new Map<string, string>();
  for (const { type, call_id, output, approval_request_id, approve } of items) {
    if (type.endsWith("_call_output") && typeof call_id === "string") {
      results.set(call_id, textOrEmpty(output));
    } else if (type === "mcp_approval_response") {
      results.set(textOrEmpty(approval_request_id), stringifyJson({ approve: approve ?? false }));
    }
  }
  const { status } = response;
  const over = status === "completed";
  return items.flatMap((item): RawToolCall[] => {
    const { type, name, input, output, error } = item;
    const kind = type === "mcp_approval_request" ? "approval" : "call";
    const id = textOrEmpty(kind === "approval" || type === "mcp_call" ? item.id : item.call_id);
    if (!KNOWN.has(type)) {
      return [];
    }
    const own = output ?? error;
    const result = results.get(id) ?? (own == null ? undefined : textOrEmpty(own));
    // A question is complete when it appears.
    const done =
      kind === "approval" || (item.status === undefined ? over : item.status !== "in_progress");
    const state = result !== undefined ? "answered" : done ? "called" : "streaming";
    const raw = textOrEmpty(input ?? item.arguments);
    // A response that waits for approval ends completed or incomplete.
    const waits = over || (kind === "approval" && status === "incomplete");
    return [
      {
        id,
        name: textOrEmpty(name),
        kind,
        state,
        argumentsText: raw,
        holder: item,
        result,
        pending: waits && result === undefined && type !== "mcp_call",
      },
    ];
  });
}

const KNOWN: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "mcp_call",
  "mcp_approval_request",
]);
