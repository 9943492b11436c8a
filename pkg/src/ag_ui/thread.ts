// The thread of AG-UI in the exchanges of a chat: it is stored once, and has the messages in the order of the chat.

import { type Exchange, lastIndex } from "../connect/exchange.js";
import type { Message, Snapshot } from "./types.js";

/** A snapshot in a chat. Its messages can be those at the beginning of a later one. */
export interface Thread extends Snapshot {
  /** The number of messages that were removed because a later snapshot has them. */
  readonly messageCount?: number | undefined;
}

/** Returns the number of messages at the end of an exchange. */
export function countOf({ messages, messageCount }: Thread): number {
  return messageCount ?? messages.length;
}

/** A message of the user to which the server has given an id, and the message that answers it. */
export interface ServerMessage {
  readonly id: string;
  readonly answerId: string | undefined;
}

/**
 * Returns the message of the thread that is the one of an exchange: the last message of the user, if it has the same text and was not
 * known before. Undefined without one.
 */
export function serverMessageOf(exchanges: readonly Exchange<Thread>[], at: number, thread: readonly Message[]): ServerMessage | undefined {
  const user = exchanges[at]!.user!;
  const text = user.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const last = thread[lastIndex(thread, ({ role }) => role === "user")];
  const before = new Set(exchanges[lastIndex(exchanges.slice(0, at), ({ snapshot }) => (snapshot?.messages.length ?? 0) > 0)]?.snapshot?.messages.map(({ id }) => id));
  if (last === undefined || last.content !== text || before.has(last.id)) {
    return undefined;
  }
  return { id: last.id, answerId: thread.find(({ id, role }) => role !== "user" && !before.has(id))?.id };
}

/** Returns the thread with a message of the user in front of its answer: a snapshot of the server appends messages with new ids. */
export function arranged(thread: readonly Message[], { id, answerId }: ServerMessage): readonly Message[] {
  const [from, to] = [thread.findIndex((message) => message.id === id), thread.findIndex((message) => message.id === answerId)];
  if (to < 0 || from <= to) {
    return thread;
  }
  return [...thread.slice(0, to), thread[from]!, ...thread.slice(to, from), ...thread.slice(from + 1)];
}

/** Returns the exchanges with the thread in the last snapshots only: in the last whole one, and in one behind it. */
export function settled(exchanges: readonly Exchange<Thread>[]): readonly Exchange<Thread>[] {
  const known = withServerId(exchanges);
  const last = lastIndex(known, ({ snapshot }) => snapshot !== undefined);
  const done = lastIndex(known, ({ snapshot, status }) => snapshot !== undefined && status === "done");
  return known.map((exchange, at) => {
    const { snapshot } = exchange;
    const isRepeated = at !== last && at !== done && snapshot !== undefined && snapshot.messageCount === undefined;
    return isRepeated ? { ...exchange, snapshot: { ...snapshot, messages: [], messageCount: snapshot.messages.length } } : exchange;
  });
}

/** Returns the exchanges before `at`, the last one of them with its thread. */
export function beforeExchange(exchanges: readonly Exchange<Thread>[], at: number): readonly Exchange<Thread>[] {
  const before = exchanges.slice(0, at);
  const last = lastIndex(before, ({ snapshot }) => snapshot !== undefined);
  const snapshot = before[last]?.snapshot;
  const whole = exchanges.slice(Math.max(last, 0)).find((exchange) => (exchange.snapshot?.messages.length ?? 0) >= (snapshot === undefined ? 0 : countOf(snapshot)))?.snapshot;
  if (snapshot?.messageCount === undefined || whole === undefined) {
    return before;
  }
  const { messageCount, ...rest } = snapshot;
  before[last] = { ...before[last]!, snapshot: { ...rest, messages: whole.messages.slice(0, messageCount) } };
  return before;
}

/** Returns the exchanges with the id that the server has given to the last message of the user, which is moved in front of its answer. */
function withServerId(exchanges: readonly Exchange<Thread>[]): readonly Exchange<Thread>[] {
  const last = lastIndex(exchanges, ({ snapshot }) => snapshot !== undefined);
  const asked = lastIndex(exchanges.slice(0, last + 1), ({ user }) => user !== undefined);
  const snapshot = exchanges[last]?.snapshot;
  const user = exchanges[asked]?.user;
  if (snapshot === undefined || user === undefined || snapshot.messages.some(({ id }) => id === user.id || id === user.serverId)) {
    return exchanges;
  }
  const server = serverMessageOf(exchanges, asked, snapshot.messages);
  if (server === undefined) {
    return exchanges;
  }
  const known = [...exchanges];
  known[asked] = { ...known[asked]!, user: { ...user, serverId: server.id } };
  known[last] = { ...known[last]!, snapshot: { ...snapshot, messages: arranged(snapshot.messages, server) } };
  return known;
}
