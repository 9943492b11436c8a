// The thread of AG-UI in the exchanges of a chat: it is stored once, and has the messages in the
// order of the chat.

import type { Json } from "../agentwire.js";
import { type Exchange, lastIndex } from "../connect/exchange.js";
import { isEqual } from "../connect/parts.js";
import { stringifyJson } from "../core/json.js";
import { userMessage } from "./history.js";
import type { Message, Snapshot } from "../generated/ag_ui/types.js";

/** A snapshot in a chat. Its messages can be those at the beginning of a later one. */
export interface ThreadSnapshot extends Snapshot {
  /** The number of messages that were removed because a later snapshot has them. */
  readonly messageCount?: number | undefined;
}

/** Returns the number of messages at the end of an exchange. */
export function countOf({ messages, messageCount }: ThreadSnapshot): number {
  return messageCount ?? messages.length;
}

/** A message of the user to which the server has given an id, and the message that answers it. */
export interface ServerMessage {
  readonly id: string;
  readonly answerId: string | undefined;
}

/**
 * Returns the message of the thread that is the one of an exchange: the last message of the user,
 * if it has the same text and was not known before. Undefined without one.
 */
export function serverMessageOf(
  exchanges: readonly Exchange<ThreadSnapshot>[],
  at: number,
  thread: readonly Message[],
): ServerMessage | undefined {
  const { content } = userMessage(exchanges[at]!.user!);
  const last = thread[lastIndex(thread, ({ role }) => role === "user")];
  const before = knownBefore(exchanges, at);
  if (last === undefined || !isEqual(last.content, content) || before.has(last.id)) {
    return undefined;
  }
  return {
    id: last.id,
    answerId: isRenamed(before, thread)
      ? undefined
      : thread.find(({ id, role }) => role !== "user" && !before.has(id))?.id,
  };
}

/**
 * Returns whether the server has given other ids to all messages. Their order is then that of the
 * server.
 */
function isRenamed(before: ReadonlySet<string>, thread: readonly Message[]): boolean {
  return before.size > 0 && !thread.some(({ id }) => before.has(id));
}

/**
 * Returns the new ids of the messages of the user, by the indexes of their exchanges, if the server
 * has given other ids to all messages.
 */
export function renamedMessages(
  exchanges: readonly Exchange<ThreadSnapshot>[],
  at: number,
  thread: readonly Message[],
): ReadonlyMap<number, string> {
  const ids = new Map<number, string>();
  const asked = isRenamed(knownBefore(exchanges, at), thread)
    ? thread.filter(({ role }) => role === "user")
    : [];
  for (let index = at; index >= 0 && asked.length > 0; index--) {
    const { user } = exchanges[index]!;
    const message = user && asked.pop();
    if (user !== undefined && isEqual(message!.content, userMessage(user).content)) {
      ids.set(index, message!.id);
    }
  }
  return ids;
}

/** Returns the ids of the messages in the last snapshot before an exchange. */
function knownBefore(
  exchanges: readonly Exchange<ThreadSnapshot>[],
  at: number,
): ReadonlySet<string> {
  return new Set(
    exchanges[lastIndex(exchanges.slice(0, at), hasMessages)]?.snapshot?.messages.map(
      ({ id }) => id,
    ),
  );
}

function hasMessages({ snapshot }: Exchange<ThreadSnapshot>): boolean {
  return (snapshot?.messages.length ?? 0) > 0;
}

/**
 * Returns the thread with a message of the user in front of its answer: a snapshot of the server
 * appends messages with new ids.
 */
export function arranged(
  thread: readonly Message[],
  { id, answerId }: ServerMessage,
): readonly Message[] {
  const [from, to] = [
    thread.findIndex((message) => message.id === id),
    thread.findIndex((message) => message.id === answerId),
  ];
  if (to < 0 || from <= to) {
    return thread;
  }
  return [
    ...thread.slice(0, to),
    thread[from]!,
    ...thread.slice(to, from),
    ...thread.slice(from + 1),
  ];
}

/**
 * Returns the thread with the message of an exchange, which the server has dropped, in front of its
 * answer.
 */
export function withOwnMessage(
  exchanges: readonly Exchange<ThreadSnapshot>[],
  at: number,
  thread: readonly Message[],
): readonly Message[] {
  const before = knownBefore(exchanges, at);
  const answer = thread.findIndex(({ id, role }) => role !== "user" && !before.has(id));
  const end = answer < 0 ? thread.length : answer;
  return [
    ...thread.slice(0, end),
    userMessage(exchanges[at]!.user!) as Message,
    ...thread.slice(end),
  ];
}

/**
 * Returns the exchanges with the thread in the last snapshots only: in the last one, in the last
 * complete one, and in those whose messages a later one has dropped.
 */
export function settled(
  exchanges: readonly Exchange<ThreadSnapshot>[],
): readonly Exchange<ThreadSnapshot>[] {
  const known = [...withServerId(exchanges)];
  const last = lastIndex(known, ({ snapshot }) => snapshot !== undefined);
  const done = lastIndex(
    known,
    ({ snapshot, status }) => snapshot !== undefined && status === "done",
  );
  let later: readonly Message[] = [];
  for (let at = last; at >= 0; at--) {
    const { snapshot } = known[at]!;
    if (snapshot === undefined || snapshot.messageCount !== undefined) {
      continue;
    }
    if (at === last || at === done || !beginsWith(later, snapshot.messages)) {
      later = snapshot.messages;
    } else {
      known[at] = {
        ...known[at]!,
        snapshot: { ...snapshot, messages: [], messageCount: snapshot.messages.length },
      };
    }
  }
  return known;
}

/** Returns whether a thread begins with these messages. */
function beginsWith(thread: readonly Message[], messages: readonly Message[]): boolean {
  return messages.length <= thread.length && messages.every(({ id }, at) => id === thread[at]!.id);
}

/**
 * Returns a function that returns a thread with the messages that it has dropped since earlier
 * snapshots: a server can send the end of a thread only.
 */
export function withDropped(): (
  before: readonly Exchange<ThreadSnapshot>[],
  messages: readonly Message[],
) => readonly Message[] {
  /** The last thread that had all messages of an earlier one, and that one. */
  let whole: { readonly earlier: readonly Message[]; readonly last: Message } | undefined;
  return (before, messages) => {
    const missing = before
      .filter(hasMessages)
      .map(({ snapshot }) => snapshot!.messages)
      .filter((earlier) => {
        const isKnown = whole?.earlier === earlier && messages[earlier.length - 1] === whole.last;
        if (isKnown || beginsWith(messages, earlier)) {
          whole = { earlier, last: messages[earlier.length - 1]! };
          return false;
        }
        return true;
      });
    return missing.length === 0 ? messages : merged(missing.flat(), messages);
  };
}

/**
 * Returns earlier messages in their order, those of the thread in place of the same ones, and the
 * new messages of the thread.
 */
function merged(earlier: readonly Message[], thread: readonly Message[]): readonly Message[] {
  const byId = new Map(thread.map((message) => [message.id, message]));
  const known = new Set(earlier.map(({ id }) => id));
  const added = thread.filter(({ id }) => !known.has(id));
  // The server can have given other ids to the same messages.
  const contents = new Set(added.map(contentKey));
  const kept = new Map(
    earlier
      .filter((message) => byId.has(message.id) || !contents.has(contentKey(message)))
      .map((message) => [message.id, byId.get(message.id) ?? message]),
  );
  return [...kept.values(), ...added];
}

function contentKey({ role, content, toolCallId, toolCalls }: Message): string {
  return stringifyJson([
    role,
    (content ?? null) as Json,
    toolCallId ?? null,
    (toolCalls ?? null) as unknown as Json,
  ]);
}

/** Returns the exchanges before `at`, the last one of them with its thread. */
export function beforeExchange(
  exchanges: readonly Exchange<ThreadSnapshot>[],
  at: number,
): readonly Exchange<ThreadSnapshot>[] {
  const before = exchanges.slice(0, at);
  const last = lastIndex(before, ({ snapshot }) => snapshot !== undefined);
  const snapshot = before[last]?.snapshot;
  const whole = exchanges
    .slice(Math.max(last, 0))
    .find(
      (exchange) =>
        (exchange.snapshot?.messages.length ?? 0) >=
        (snapshot === undefined ? 0 : countOf(snapshot)),
    )?.snapshot;
  if (snapshot?.messageCount === undefined || whole === undefined) {
    return before;
  }
  const { messageCount, ...rest } = snapshot;
  before[last] = {
    ...before[last]!,
    snapshot: { ...rest, messages: whole.messages.slice(0, messageCount) },
  };
  return before;
}

/**
 * Returns the exchanges with the id that the server has given to the last message of the user,
 * which is moved in front of its answer.
 */
function withServerId(
  exchanges: readonly Exchange<ThreadSnapshot>[],
): readonly Exchange<ThreadSnapshot>[] {
  const last = lastIndex(exchanges, ({ snapshot }) => snapshot !== undefined);
  const asked = lastIndex(exchanges.slice(0, last + 1), ({ user }) => user !== undefined);
  const snapshot = exchanges[last]?.snapshot;
  const user = exchanges[asked]?.user;
  if (
    snapshot === undefined ||
    user === undefined ||
    snapshot.messages.some(({ id }) => id === user.id || id === user.serverId)
  ) {
    return exchanges;
  }
  const known = [...exchanges];
  const server = serverMessageOf(exchanges, asked, snapshot.messages);
  if (server === undefined) {
    const messages = withOwnMessage(exchanges, asked, snapshot.messages);
    known[last] = { ...known[last]!, snapshot: { ...snapshot, messages } };
    return known;
  }
  for (const [index, serverId] of [
    ...renamedMessages(exchanges, asked, snapshot.messages),
    [asked, server.id] as const,
  ]) {
    known[index] = { ...known[index]!, user: { ...known[index]!.user!, serverId } };
  }
  known[last] = {
    ...known[last]!,
    snapshot: { ...snapshot, messages: arranged(snapshot.messages, server) },
  };
  return known;
}
