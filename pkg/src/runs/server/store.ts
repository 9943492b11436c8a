// The store of the runs service: threads with their runs, logs and messages, and the counts of
// users.

import type { RunLogEntry } from "../service.js";

/** A value, or a promise of one: a store may be synchronous. */
export type Awaitable<T> = T | Promise<T>;

/** The status of a run. The log of an expired run is deleted. */
export type RunStatus = "queued" | "running" | "ended" | "expired";

/** A thread that has had a run. */
export interface ThreadState {
  /** The user who owns the thread. */
  readonly owner: string;
  /**
   * The name of the log inside its cursors. It is random, so that cursors of a deleted thread are
   * invalid.
   */
  readonly generation: string;
  /** The URL of the endpoints at which the last run was created. */
  readonly base: string;
  /** The number of the last entry of the log; 0 without entries. */
  readonly last: number;
  /** The number of bytes of the log. */
  readonly bytes: number;
}

/** A run. */
export interface StoredRun {
  readonly runId: string;
  readonly taskId: string;
  readonly status: RunStatus;
  /** The hash of the request's body. */
  readonly hash: string;
  /** The body of the request; empty when its log was shortened or has expired. */
  readonly input: string;
  /** Whether the run created its thread. */
  readonly created: boolean;
  readonly cancelled: boolean;
  /** The number of times that the agent was started. */
  readonly attempts: number;
  /** The number of its terminal event in the log; null before the end. */
  readonly terminal: number | null;
  /** The time of its creation, in milliseconds since 1970. */
  readonly at: number;
  /** Whether its log was shortened. */
  readonly isShort: boolean;
}

/** A run that has ended and has a log. */
export type EndedRun = Pick<StoredRun, "runId" | "at" | "isShort">;

/** A run to store, with the new messages of its request. */
export interface NewRun extends Pick<StoredRun, "runId" | "taskId" | "hash" | "input" | "at"> {
  readonly owner: string;
  readonly base: string;
  /** The idempotency key of the request. */
  readonly key: string | null;
  readonly messages: readonly NewStoredMessage[];
}

/** An event to store. */
export interface NewEvent {
  /** The event's `type`. */
  readonly kind: string;
  /** The event as JSON. */
  readonly data: string;
}

/** An event of a shortened log. */
export interface JoinedEvent extends NewEvent {
  /** The number of the last event that was joined to it. */
  readonly number: number;
  /**
   * The number of UTF-16 units of each piece that was joined, as a JSON list; null for an event
   * that was not joined.
   */
  readonly pieces: string | null;
}

/** A stored message. */
export interface StoredMessage {
  /** The number of the message, ascending within the thread. */
  readonly seq: number;
  readonly id: string;
  readonly role: string;
  /** The text that the history shows. */
  readonly content: string;
  /** The other properties of the message in the history, as JSON. */
  readonly extra: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A message to store. */
export interface NewStoredMessage extends Omit<StoredMessage, "seq"> {
  /** The message as the agent receives it in later runs, as JSON. */
  readonly message: string;
  /** Whether the history shows it. */
  readonly isShown: boolean;
}

/** A part of the history. */
export interface HistoryPage {
  /** The day (UTC) of the messages, such as `2026-03-19`; null for an empty history. */
  readonly day: string | null;
  readonly hasMore: boolean;
  readonly messages: readonly StoredMessage[];
  /** Set if the day has more messages: those before this number. */
  readonly beforeSeq?: number;
}

/**
 * The store of one thread. A method that writes is atomic, and resolves when its writes are
 * durable.
 *
 * A store that several processes use has the last three methods. One process at a time works on a
 * thread: it drives its runs, recovers them and shortens their logs. Only this work needs `hold`.
 * Every process adds and cancels runs, reads, and deletes, because those methods are atomic;
 * `watch` reports them to the process that works, and the entries of its log to the followers of
 * other processes.
 */
export interface ThreadStore {
  /** Returns the thread; undefined before its first run. */
  state(): Awaitable<ThreadState | undefined>;
  /** Returns the run of that id. */
  run(runId: string): Awaitable<StoredRun | undefined>;
  /** Returns the run that was created with that idempotency key. */
  runOfKey(key: string): Awaitable<StoredRun | undefined>;
  /** Returns the run that is queued or running: at most one. */
  active(): Awaitable<StoredRun | undefined>;
  /**
   * Stores a queued run with its messages, and the thread with its first run. Returns false,
   * without a change, if the thread has another owner, the id or the key exists, or a run is
   * active.
   */
  addRun(run: NewRun): Awaitable<boolean>;
  /** Sets the status to running, which counts as an attempt, or back to queued. */
  setStatus(runId: string, status: "queued" | "running"): Awaitable<void>;
  /** Marks the run as cancelled. */
  setCancelled(runId: string): Awaitable<void>;
  /**
   * Appends events to the log of a run; returns the number of the last one. The numbers of a thread
   * ascend by one. With `messages`, the run ends with the last event, and these are its messages.
   */
  append(
    runId: string,
    events: readonly NewEvent[],
    messages?: readonly NewStoredMessage[],
  ): Awaitable<number>;
  /**
   * Returns at most `limit` entries of a run with numbers above `after` and at most `until`. If
   * `after` is within joined pieces, the first entry has only those after it.
   */
  read(runId: string, after: number, until: number, limit: number): Awaitable<RunLogEntry[]>;
  /** Returns the runs that have ended and have a log, the oldest first. */
  ended(): Awaitable<EndedRun[]>;
  /** Replaces the log of a run that has ended, and clears its input. */
  shorten(runId: string, events: readonly JoinedEvent[]): Awaitable<void>;
  /** Deletes the log and the input of a run that has ended. Its row and its messages stay. */
  expire(runId: string): Awaitable<void>;
  /** Returns the messages of that id and role, as the agent receives them. */
  messagesOf(id: string, role: string): Awaitable<string[]>;
  /** Returns whether a message of the assistant has the tool call of that id. */
  hasCall(callId: string): Awaitable<boolean>;
  /**
   * Returns the latest messages as the agent receives them, in their order, with at most `limit`
   * characters.
   */
  latestMessages(limit: number): Awaitable<string[]>;
  /**
   * Returns the shown messages with numbers below `beforeSeq`, of the latest day before `before`
   * that has any. If the day has more than `limit` characters, returns the latest messages that
   * fit, at least one.
   */
  history(before: string, beforeSeq: number, limit: number): Awaitable<HistoryPage>;
  /** Deletes everything. */
  delete(): Awaitable<void>;
  /**
   * Makes this process the one that works on the thread; returns false if another live process
   * does. In a process that was replaced, because it did not respond for some time, `setStatus`,
   * `append`, `shorten` and `expire` fail.
   */
  hold?(): Awaitable<boolean>;
  /** Ends the work of this process on the thread. */
  release?(): Awaitable<void>;
  /**
   * Calls `changed` after changes by other processes. Resolves when they are reported, with a
   * function that ends it.
   */
  watch?(changed: () => void): Awaitable<() => void>;
}

/** The kinds of counts. */
export type CountKind = "runs" | "connections";

/** The data of users. */
export interface UserStore {
  /** Returns the thread of the user's latest message. */
  latestThread(user: string): Awaitable<string | undefined>;
  /** Makes a thread the user's latest. */
  setLatestThread(user: string, threadId: string): Awaitable<void>;
  /**
   * Sets the number of active runs or open connections of a thread; returns the sum over the user's
   * threads.
   */
  count(user: string, kind: CountKind, threadId: string, count: number): Awaitable<number>;
  /**
   * Sets the entry of a thread in the user's list of A2A tasks and running answers of chats, a
   * text; null removes it.
   */
  setTask?(user: string, threadId: string, task: string | null): Awaitable<void>;
  /**
   * Returns the entries of the user's list. Without this method and `setTask`, A2A tasks are not
   * listed, and the running answer of a chat is not found.
   */
  tasks?(user: string): Awaitable<readonly (readonly [threadId: string, task: string])[]>;
}

/** A store of threads and users. It belongs to one process, unless its threads have `hold`. */
export interface RunsStore extends UserStore {
  thread(threadId: string): ThreadStore;
  /**
   * Returns the threads on which no live process works, and which have an active run, or a run that
   * has ended, was created before `time` and is not shortened. In a store that several processes
   * use, an active run is at least `leaseMs` old.
   */
  due(time: number): Awaitable<string[]>;
  /**
   * In a store that several processes use: the milliseconds after which a process that does not
   * respond is replaced.
   */
  readonly leaseMs?: number | undefined;
}

/** Returns the statement that inserts a row; `parameter` names its values. */
export function insertInto(table: string, row: object, parameter: (at: number) => string): string {
  const columns = Object.keys(row);
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((_, at) => parameter(at)).join(", ")})`;
}

/** Returns the day (UTC) of a time in milliseconds since 1970, such as `2026-03-19`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * Returns those of the values, the latest first, whose sizes are at most `limit` together, and at
 * least so many, in their order. No other values are read.
 */
export function latestOf<T>(
  values: Iterable<T>,
  limit: number,
  sizeOf: (value: T) => number,
  least: number,
): { readonly values: T[]; readonly isCut: boolean } {
  const latest: T[] = [];
  let size = 0;
  for (const value of values) {
    size += sizeOf(value);
    if (size > limit && latest.length >= least) {
      return { values: latest.reverse(), isCut: true };
    }
    latest.push(value);
  }
  return { values: latest.reverse(), isCut: false };
}

/** Returns the ids of the tool calls in a message, which is JSON. */
export function callsIn(role: string, message: string): string[] {
  const { toolCalls = [] } =
    role === "assistant"
      ? (JSON.parse(message) as { toolCalls?: readonly { readonly id?: unknown }[] })
      : {};
  return toolCalls
    .map((call) => (Object(call) as { readonly id?: unknown }).id)
    .filter((id) => typeof id === "string");
}

/** The milliseconds for which the count of a process is valid, unless it renews it. */
export const VALID = 9000;
/** The milliseconds after which a count is renewed. */
export const RENEWAL = 3000;

/**
 * Counts by user, kind and thread, in memory. A count that is not renewed expires: its process may
 * have been killed.
 */
export class Counts {
  readonly #counts = new Map<
    string,
    Map<string, { readonly count: number; readonly until: number }>
  >();

  /**
   * Sets a count that is valid for so many milliseconds; returns the sum of the user's valid counts
   * of that kind.
   */
  set(
    user: string,
    kind: CountKind,
    threadId: string,
    count: number,
    now: number,
    valid = VALID,
  ): number {
    const name = `${kind} ${user}`;
    const counts =
      this.#counts.get(name) ??
      new Map<string, { readonly count: number; readonly until: number }>();
    this.#counts.set(name, counts);
    counts.delete(threadId);
    if (count > 0) {
      counts.set(threadId, { count, until: now + valid });
    }
    let sum = 0;
    for (const [thread, { count, until }] of counts) {
      if (until < now) {
        counts.delete(thread);
      } else {
        sum += count;
      }
    }
    if (counts.size === 0) {
      this.#counts.delete(name);
    }
    return sum;
  }
}
