// Reads requests of agents: the last text of the user, and the tool results and decisions of the
// client.

import type { AgentRequest, InputMessage, Json } from "../agentwire.js";
import { approves } from "../connect/replies.js";
import { textOrEmpty, valueOf } from "../core/json.js";
import { CALLS, OUTPUTS } from "../agent_api/protocol.js";

/** The result of a tool of the client. */
export interface SubmittedToolResult {
  readonly kind: "call";
  /** The id of the call; null if the request does not contain it. */
  readonly id: string | null;
  /** The name of the tool; null if the request does not contain it. */
  readonly name: string | null;
  /** The result as text. */
  readonly text: string;
  /** The result as a value; undefined if the text is not JSON. */
  readonly value: Json | undefined;
}

/** The decision of the user on a question (`out.interrupt`). */
export interface SubmittedDecision {
  readonly kind: "approval";
  /** The id of the question; null if the request does not contain it. */
  readonly id: string | null;
  /** Whether the user approves. False if the properties of the decision contradict each other. */
  readonly approved: boolean;
  /** The other content of the decision as text; empty if the decision has no other content. */
  readonly text: string;
  /** The other content of the decision as a value; undefined if the text is not JSON. */
  readonly value: Json | undefined;
}

/** A tool result or a decision in a request. */
export type SubmittedResult = SubmittedToolResult | SubmittedDecision;

/**
 * Returns the text of the user's last message: its text contents, concatenated. Empty if the
 * request has no message of the user.
 */
export function userText(request: AgentRequest): string {
  const messages = inputOf(request).filter(
    ({ type, role }) => (type ?? "message") === "message" && (role ?? "user") === "user",
  );
  return (messages[messages.length - 1]?.content ?? [])
    .map((part) => (part.type === "text" ? (part.text ?? "") : ""))
    .join("");
}

/**
 * Returns the tool results and decisions in a request, in order. Only those after the last message
 * of the agent count, so for a request with the whole conversation these are the answers to the
 * last turn. Empty if the request contains none.
 */
export function submittedResults(request: AgentRequest): SubmittedResult[] {
  let answers: SubmittedResult[] = [];
  const names = new Map<string, string>();
  for (const message of inputOf(request)) {
    const type = message.type ?? "";
    if (OUTPUTS.includes(type)) {
      answers.push(...answersOf(message, names));
    } else if (message.role === "assistant" || CALLS.includes(type)) {
      answers = [];
      calledIn(message).forEach(({ id, name }) => names.set(id, name));
    }
  }
  return answers;
}

/** Returns the messages of a request; none if the list is missing. */
export function inputOf({ input }: AgentRequest): readonly InputMessage[] {
  return Array.isArray(input) ? input : [];
}

/** Returns the ids and names of the calls in a message. */
function calledIn({ content }: InputMessage): { readonly id: string; readonly name: string }[] {
  return (content ?? []).flatMap(({ data }) => {
    const { call_id: id, name } = Object(data) as { readonly [key: string]: unknown };
    return typeof id === "string" && typeof name === "string" ? [{ id, name }] : [];
  });
}

function answersOf(
  { type, content }: InputMessage,
  names: ReadonlyMap<string, string>,
): SubmittedResult[] {
  const asks = type === "mcp_approval_response";
  return (content ?? []).flatMap((part): SubmittedResult[] | SubmittedResult => {
    if (part.type !== "data" || part.data == null) {
      return [];
    }
    const { call_id, approval_request_id, name, output, approve, payload } = part.data as {
      readonly [key: string]: Json;
    };
    const text = textOrEmpty(asks ? payload : output);
    const value = valueOf(text);
    return asks
      ? {
          kind: "approval",
          id: textOf(approval_request_id),
          approved: approve === true && approves(part.data as { readonly [key: string]: Json }),
          text,
          value,
        }
      : {
          kind: "call",
          id: textOf(call_id),
          name: textOf(name) ?? names.get(String(call_id)) ?? null,
          text,
          value,
        };
  });
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
