// What a request of the Agent API asks: what its user said last, and what its client answers.

import type { AgentRequest, InputMessage, Json } from "../agentwire.js";
import { approves } from "../approval.js";
import { check } from "../arguments.js";
import { parseJson } from "../json.js";
import { CALLS, OUTPUTS, jsonText } from "./tool_calls.js";

/** What a client answers: the result of one of its tools, or what its user decided. */
export interface RequestAnswer {
  /** `approval` answers a question (`out.interrupt`), `call` a tool call. */
  readonly kind: "call" | "approval";
  /** That of the call or of the question; null where the request does not say it. */
  readonly id: string | null;
  /** The tool; null where the request does not say it, and for an approval. */
  readonly name: string | null;
  /** What the tool came to, as text; of an approval what else the answer says, empty for nothing. */
  readonly raw: string;
  /** The same as a value, where it is JSON. */
  readonly value: Json | undefined;
  /** What the user said to an approval: an answer that is no yes, or that contradicts itself, declines. Null for a call. */
  readonly approved: boolean | null;
}

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
export function requestAnswers(request: AgentRequest): RequestAnswer[] {
  let answers: RequestAnswer[] = [];
  for (const message of inputOf("requestAnswers", request)) {
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

function answersOf({ type, content }: InputMessage): RequestAnswer[] {
  const asks = type === "mcp_approval_response";
  return (content ?? []).flatMap((part) => {
    if (part.type !== "data" || part.data == null) {
      return [];
    }
    const { call_id, approval_request_id, name, output, approve, payload } = part.data as { readonly [key: string]: Json };
    const raw = jsonText(asks ? payload : output);
    return {
      kind: asks ? "approval" : "call",
      id: textOf(asks ? approval_request_id : call_id),
      name: asks ? null : textOf(name),
      raw,
      value: valueOf(raw),
      approved: asks ? approve === true && approves(part.data as { readonly [key: string]: Json }) : null,
    };
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
