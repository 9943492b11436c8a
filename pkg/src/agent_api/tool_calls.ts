// The tool calls of an Agent API response, paired with their outputs as the core pairs them. (R35 to R37.)

import type { Content, Json, Message, Response } from "../agentwire.js";
import { stringifyJson } from "../json.js";
import type { Said } from "../tool_call_view.js";

/** The types of messages that hold calls, and those that answer them. */
export const CALLS: readonly string[] = ["function_call", "plugin_call", "component_call", "mcp_call", "mcp_approval_request"];
export const OUTPUTS: readonly string[] = [...CALLS.slice(0, 4).map((type) => `${type}_output`), "mcp_approval_response"];

type Data = { readonly [key: string]: Json };

/** One content of such a message. */
interface Part {
  readonly data: Data;
  /** Nothing more of it comes. */
  readonly ended: boolean;
}

interface Call {
  id: string | undefined;
  name: string | undefined;
  readonly asks: boolean;
  call: Part | undefined;
  output: Part | undefined;
}

/** The calls of a response and what answers them, in the order of their appearance; undefined for what is none. */
export function callsOf(response: Response): Said[] | undefined {
  if (!("output" in response && "session_id" in response)) {
    return undefined;
  }
  const { output, status } = response;
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  for (const message of output) {
    const [isCall, isOutput] = [CALLS.includes(message.type), OUTPUTS.includes(message.type)];
    for (const part of isCall || isOutput ? partsOf(message) : []) {
      pair(calls, byId, part, isCall, message.type.startsWith("mcp_approval"));
    }
  }
  return calls.map((call) => said(call, status));
}

function pair(calls: Call[], byId: Map<string, Call>, part: Part, isCall: boolean, asks: boolean): void {
  const { data } = part;
  const id = text(data[asks ? (isCall ? "id" : "approval_request_id") : "call_id"]);
  // An interrupt of another protocol says why it asks, and has a payload in place of arguments.
  const name = text(data["name"]) ?? (asks ? text(data["reason"]) : undefined);
  // A question and a call may have the same id: an agent asks whether it may make a call.
  const key = `${asks} ${id}`;
  const known = id === undefined ? undefined : byId.get(key);
  const open = (call: Part | undefined, output: Part | undefined): void => {
    const opened = { id, name, asks, call, output };
    calls.push(opened);
    id !== undefined && known === undefined && byId.set(key, opened);
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
  // Without an id, the latest call of that name that nothing has answered.
  const meant = known ?? (id === undefined ? [...calls].reverse().find((call) => call.name === name && call.output === undefined) : undefined);
  if (meant === undefined) {
    open(undefined, part);
  } else {
    meant.output ??= part;
  }
}

function said({ id, name, asks, call, output }: Call, status: string): Said {
  const data = call?.data;
  const state = output?.ended ? "answered" : call === undefined || call.ended ? "called" : "streaming";
  const answer = asks ? output?.data : output?.data["output"];
  return {
    id: id ?? null,
    name: name ?? null,
    kind: asks ? "approval" : "call",
    state,
    holder: data,
    argumentsText: jsonText(data?.["arguments"] ?? (asks ? data?.["payload"] : undefined)),
    result: output === undefined ? undefined : jsonText(answer),
    // While a response goes on, and where one was cut off, the server may still answer. One that waits for a yes ends incomplete.
    pending: state === "called" && output === undefined && (status === "completed" || (asks && status === "incomplete")),
  };
}

function partsOf(message: Message): Part[] {
  const isOver = ["completed", "failed", "canceled", "rejected", "incomplete"].includes(message.status);
  return message.content.flatMap((content: Content) =>
    content.type === "data" && content.data !== null ? { data: content.data, ended: isOver || content.status === "completed" } : [],
  );
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The protocol has JSON text here; some servers send the JSON itself. */
export function jsonText(value: Json | undefined): string {
  return typeof value === "string" ? value : value == null ? "" : stringifyJson(value);
}
