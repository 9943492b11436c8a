// The Agent API as a readable protocol, and its tool calls.

import type { Content, Json, Message, Response } from "../agentwire.js";
import { isObject, textOrEmpty } from "../core/json.js";
import { TABLES } from "../generated/agent_api/tables.js";
import { GROWTH } from "../read/more_ops.js";
import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";

/** The tables and the sample stream of the Agent API. */
export const AGENT_API: Readable = { tables: TABLES, more: GROWTH, sample };

function sample(): string {
  const data = { type: "data", data: { call_id: "c", name: "n", arguments: "{}" } };
  const text = { type: "text", text: "é a" };
  return [
    event("response", "created", { id: "r", output: [] }),
    message("m", "message", text, { ...text, text: text.text.repeat(24) }, 24),
    message("c", "plugin_call", data, data, 1),
    event("response", "completed", { id: "r", output: [], usage: {} }),
  ].join("");
}

function message(id: string, type: string, piece: object, whole: object, pieces: number): string {
  const head = { id, type, role: "assistant", content: null, usage: null };
  const place = { index: 0, msg_id: id };
  return [
    event("message", "in_progress", head),
    event("content", "in_progress", { ...piece, ...place, delta: true }).repeat(pieces),
    event("content", "completed", { ...whole, ...place, delta: false }),
    event("message", "completed", { ...head, content: [{ ...whole, ...place }] }),
  ].join("");
}

function event(object: string, status: string, rest: object): string {
  return `data: ${JSON.stringify({ sequence_number: 0, object, status, error: null, ...rest })}\n\n`;
}

/** The types of messages that contain calls, and of those that contain their outputs. */
export const CALLS: readonly string[] = [
  "function_call",
  "plugin_call",
  "component_call",
  "mcp_call",
  "mcp_approval_request",
];
export const OUTPUTS: readonly string[] = [
  ...CALLS.slice(0, 4).map((type) => `${type}_output`),
  "mcp_approval_response",
];

type Data = { readonly [key: string]: Json };

/** A data content of such a message. */
export interface DataOf {
  readonly data: Data;
  /** Whether the content is complete. */
  readonly ended: boolean;
}

/** A call or question with its output: `asks` is true for a question. */
export interface CallOf {
  id: string | undefined;
  name: string | undefined;
  readonly asks: boolean;
  call: DataOf | undefined;
  output: DataOf | undefined;
}

/**
 * Returns the calls of a response with their outputs, in the order of their appearance. Undefined
 * if the value is not a response.
 */
export function callsOf(response: Response): RawToolCall[] | undefined {
  if (!("output" in response && "session_id" in response)) {
    return undefined;
  }
  return pairsOf(response).map((call) => rawCall(call, response.status));
}

/**
 * Returns the calls and questions of a response with their outputs, in the order of their
 * appearance.
 */
export function pairsOf({ output }: Response): readonly CallOf[] {
  const calls: CallOf[] = [];
  const byId = new Map<string, CallOf>();
  for (const message of output) {
    const [isCall, isOutput] = [CALLS.includes(message.type), OUTPUTS.includes(message.type)];
    for (const part of isCall || isOutput ? partsOf(message) : []) {
      pair(calls, byId, part, isCall, message.type.startsWith("mcp_approval"));
    }
  }
  return calls;
}

function pair(
  calls: CallOf[],
  byId: Map<string, CallOf>,
  part: DataOf,
  isCall: boolean,
  asks: boolean,
): void {
  const { data } = part;
  const id = text(data[asks ? (isCall ? "id" : "approval_request_id") : "call_id"]);
  // An interrupt that was converted from another protocol has a reason and a payload instead of a
  // name and arguments.
  const name = text(data["name"]) ?? (asks ? text(data["reason"]) : undefined);
  // A question and a call can have the same id: the question is whether the agent may make the
  // call.
  const key = `${asks} ${id}`;
  const known = id === undefined ? undefined : byId.get(key);
  const open = (call: DataOf | undefined, output: DataOf | undefined): void => {
    const opened = { id, name, asks, call, output };
    calls.push(opened);
    if (id !== undefined && known === undefined) {
      byId.set(key, opened);
    }
  };
  if (isCall) {
    if (known !== undefined && known.call === undefined) {
      known.call = part;
      known.name ??= name;
    } else {
      open(part, undefined);
    }
    return;
  }
  // An output without an id belongs to the latest call with its name that has no output.
  const meant =
    known ??
    (id === undefined
      ? [...calls].reverse().find((call) => call.name === name && call.output === undefined)
      : undefined);
  if (meant === undefined) {
    open(undefined, part);
  } else {
    meant.output ??= part;
  }
}

function rawCall({ id, name, asks, call, output }: CallOf, status: string): RawToolCall {
  const data = call?.data;
  const state = output?.ended
    ? "answered"
    : call === undefined || call.ended
      ? "called"
      : "streaming";
  const answer = asks ? output?.data : output?.data["output"];
  return {
    id: id ?? null,
    name: name ?? null,
    kind: asks ? "approval" : "call",
    state,
    holder: data,
    // The protocol requires JSON text, but some servers send the JSON value itself.
    argumentsText: textOrEmpty(data?.["arguments"] ?? (asks ? data?.["payload"] : undefined)),
    result: output === undefined ? undefined : textOrEmpty(answer),
    // The server may still answer while a response is in progress or after it was truncated. One
    // that waits for approval ends incomplete.
    pending:
      state === "called" &&
      output === undefined &&
      (status === "completed" || (asks && status === "incomplete")),
  };
}

function partsOf(message: Message): DataOf[] {
  const isOver = ["completed", "failed", "canceled", "rejected", "incomplete"].includes(
    message.status,
  );
  return message.content.flatMap((content: Content) =>
    content.type === "data" && isObject(content.data)
      ? { data: content.data, ended: isOver || content.status === "completed" }
      : [],
  );
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
