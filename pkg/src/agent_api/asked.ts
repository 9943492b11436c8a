// What a request of the Agent API asks: what its user said last, and what its client answers.

import type { AgentRequest, InputMessage, Json } from "../agentwire.js";
import { approves } from "../approval.js";
import { check } from "../arguments.js";
import { parseJson } from "../json.js";
import { CALLS, OUTPUTS, jsonText } from "./tool_calls.js";

/** The result of a tool of the client. */
export interface SubmittedToolResult {
  readonly kind: "call";
  /** The id of the call; null where the request does not have it. */
  readonly id: string | null;
  /** The tool; null where the request does not have it. */
  readonly name: string | null;
  /** The result as text. */
  readonly text: string;
  /** The result as a value; undefined where the text is not JSON. */
  readonly value: Json | undefined;
}

/** The decision on a question (`out.interrupt`). */
export interface SubmittedDecision {
  readonly kind: "approval";
  /** The id of the question; null where the request does not have it. */
  readonly id: string | null;
  /** Whether the user approves. A decision that contradicts itself declines. */
  readonly approved: boolean;
  /** The other content of the decision as text; empty for none. */
  readonly text: string;
  /** The other content of the decision as a value; undefined where the text is not JSON. */
  readonly value: Json | undefined;
}

/** A part of a request that answers the run before. */
export type SubmittedResult = SubmittedToolResult | SubmittedDecision;

/**
 * The text of what the user said last: of the last message of the user the texts, one after the other. Empty if there is none.
 *
 * ```js
 * const agent = (out, request) => out.message().text().delta(`You said: ${userText(request)}`);
 * ```
 */
export function userText(request: AgentRequest): string {
  const said = inputOf("userText", request).filter(({ type, role }) => (type ?? "message") === "message" && (role ?? "user") === "user");
  return (said[said.length - 1]?.content ?? []).map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}

/**
 * What the client answers with this request, in order: results of its tools, and decisions on questions. Only what comes after the
 * agent's last word counts, so of a request that has the whole conversation it is what answers the last turn. Empty where nothing is
 * answered.
 */
export function submittedResults(request: AgentRequest): SubmittedResult[] {
  let answers: SubmittedResult[] = [];
  for (const message of inputOf("submittedResults", request)) {
    const type = message.type ?? "";
    if (OUTPUTS.includes(type)) {
      answers.push(...answersOf(message));
    } else if (message.role === "assistant" || CALLS.includes(type)) {
      answers = [];
    }
  }
  return answers;
}

function inputOf(name: string, request: AgentRequest): readonly InputMessage[] {
  check(name, { request: "object" }, [request]);
  return Array.isArray(request.input) ? request.input : [];
}

function answersOf({ type, content }: InputMessage): SubmittedResult[] {
  const asks = type === "mcp_approval_response";
  return (content ?? []).flatMap((part): SubmittedResult[] | SubmittedResult => {
    if (part.type !== "data" || part.data == null) {
      return [];
    }
    const { call_id, approval_request_id, name, output, approve, payload } = part.data as { readonly [key: string]: Json };
    const text = jsonText(asks ? payload : output);
    const value = valueOf(text);
    return asks
      ? { kind: "approval", id: textOf(approval_request_id), approved: approve === true && approves(part.data as { readonly [key: string]: Json }), text, value }
      : { kind: "call", id: textOf(call_id), name: textOf(name), text, value };
  });
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function valueOf(raw: string): Json | undefined {
  try {
    return parseJson(raw);
  } catch {
    return undefined;
  }
}
