// The calls and questions of an answer that wait for the client, and its replies to them.

import type { Json } from "../agentwire.js";
import { AgentwireError, failedResult, must } from "../core/errors.js";
import { parseJson, stringifyJson } from "../core/json.js";
import { type CallsOf, type ToolCall, viewsOf } from "../read/tool_call_view.js";
import { type Exchange, type Reply, lastIndex } from "./exchange.js";
import { type Message, type ToolPart, isToolPart } from "./message.js";
import { replyKey } from "./parts.js";
import { type AgentTool, NOT_ANSWERED, inputOf } from "./tool.js";

/** A call or a question that can be answered. */
export type PendingCall = ToolCall & { readonly id: string };

/** Returns whether the answer of an exchange is complete, so that its calls can be answered. */
export function isComplete({ status, isAnswered }: Exchange<unknown>): boolean {
  return status === "done" || status === "calling" || isAnswered === true;
}

/**
 * Returns the calls and questions of an answer that have no reply. Protocols pair results and calls
 * by ids, so that calls with one id have one result.
 */
export function waitingIn(exchange: Exchange<unknown>, callsOf: CallsOf): readonly PendingCall[] {
  const { snapshot, replies } = exchange;
  if (snapshot === undefined || !isComplete(exchange)) {
    return [];
  }
  const known = new Set(replies.map(({ kind, id }) => replyKey(kind, id)));
  return viewsOf(snapshot, [callsOf]).filter((call): call is PendingCall => {
    const key = replyKey(call.kind, call.id ?? "");
    const waits = call.pending && call.id !== null && !known.has(key);
    known.add(key);
    return waits;
  });
}

/** Returns whether all calls of an answer have replies that were not sent. */
export function hasUnsentReplies(exchange: Exchange<unknown>, callsOf: CallsOf): boolean {
  return (
    isComplete(exchange) &&
    exchange.replies.some(({ isDropped }) => isDropped !== true) &&
    waitingIn(exchange, callsOf).length === 0
  );
}

/**
 * Returns the replies with one more. They are sent in the order of their calls, not in that of
 * their arrival.
 */
export function withReply(
  { snapshot, replies }: Exchange<unknown>,
  reply: Reply,
  callsOf: CallsOf,
): readonly Reply[] {
  const order = viewsOf(snapshot, [callsOf]).map(({ kind, id }) => replyKey(kind, id ?? ""));
  const indexOf = ({ kind, id }: Reply): number => order.indexOf(replyKey(kind, id));
  return [...replies, reply].sort((one, other) => indexOf(one) - indexOf(other));
}

/** Returns the replies for what waits for the user, who has sent a message instead. */
export function droppedReplies(exchange: Exchange<unknown>, callsOf: CallsOf): readonly Reply[] {
  return waitingIn(exchange, callsOf).map(({ id, name, kind }) => ({
    id,
    name,
    kind,
    value: NOT_ANSWERED,
    isDropped: true,
    ...(kind === "approval" && { approved: false }),
  }));
}

/**
 * Returns the parts of an answer that wait for the user: the last one of each call, because an
 * earlier answer that has failed can have a call with the same id.
 */
export function pendingParts(
  exchange: Exchange<unknown>,
  messages: readonly Message[],
  callsOf: CallsOf,
): readonly ToolPart[] {
  const waiting = exchange.status === "calling" ? [] : waitingIn(exchange, callsOf);
  const parts =
    waiting.length === 0 ? [] : messages.flatMap((message) => message.parts.filter(isToolPart));
  const found = new Set(
    waiting.map(({ kind, id }) => lastIndex(parts, (part) => isWaiting(part, kind, id))),
  );
  return parts.filter((_, at) => found.has(at));
}

/** Returns whether a part is that of a call or a question without a reply. */
function isWaiting(part: ToolPart, kind: Reply["kind"], id: string): boolean {
  return kind === "approval"
    ? part.state === "approval-requested" && part.approval.id === id
    : part.state === "input-available" && part.toolCallId === id;
}

/**
 * Throws unless a call or question with this id was answered before. `current` is the last exchange
 * that was sent.
 */
export function mustBeAnswered(
  called: string,
  id: string,
  kind: Reply["kind"],
  exchanges: readonly Exchange<unknown>[],
  current: Exchange<unknown> | undefined,
  callsOf: CallsOf,
): void {
  if (
    exchanges.some(({ replies }) => replies.some((reply) => reply.id === id && reply.kind === kind))
  ) {
    return;
  }
  const other = current && waitingIn(current, callsOf).find((call) => call.id === id);
  const [what, instead] =
    kind === "call" ? ["call", "approve(id) or decline(id)"] : ["question", "answer(id, value)"];
  must(
    other === undefined,
    "not-pending",
    `${called}(): \`${id}\` is the id of a ${other?.kind === "call" ? `call of \`${other.name}\`` : "question"}: use ${instead}`,
  );
  must(false, "not-pending", `${called}(): no ${what} with the id \`${id}\` waits for the user`);
}

/** Executes a call, and returns its result. */
export async function executed(
  tool: AgentTool,
  call: PendingCall,
  signal: AbortSignal,
): Promise<Reply> {
  const { id, name } = call;
  try {
    const value = (await tool.execute!(await inputOf(tool, call), { call, signal })) ?? null;
    return { id, name, kind: "call", value: copyOf(value) };
  } catch (error) {
    return { id, name, kind: "call", value: failedResult(error), isError: true };
  }
}

/** Returns a copy of the value of an answer or a decision. */
export function plainData(called: string, value: Json): Json {
  try {
    return copyOf(value);
  } catch (cause) {
    throw new AgentwireError(
      "wrong-argument",
      `${called}(): the value is not JSON: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Returns a copy of a JSON value, as the agent receives it. Throws for another value. */
function copyOf(value: unknown): Json {
  const text: string | undefined = stringifyJson(value as Json);
  must(text !== undefined, "not-json", `JSON cannot represent the value: it is a ${typeof value}`);
  return parseJson(text);
}
