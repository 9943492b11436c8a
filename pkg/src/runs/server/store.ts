// The state of threads, and of users.

import type { RunLogEntry } from "../service.js";
import type { Awaitable } from "../../stores/log_store.js";

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
  /** The number of the last event; 0 without events. */
  readonly last: number;
  /** The number of bytes of the events. */
  readonly bytes: number;
}

/** A run. */
export interface StoredRun {
  readonly runId: string;
  readonly taskId: string;
  readonly status: RunStatus;
  /** The process that has accepted the run, or drives it; empty if the store has one process. */
  readonly by: string;
  /** The hash of the request's body. */
  readonly hash: string;
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

/** A run to store, with the new messages of its request. */
export interface NewRun extends Pick<StoredRun, "runId" | "taskId" | "hash" | "at"> {
  readonly owner: string;
  readonly base: string;
  /** The body of the request. */
  readonly input: string;
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

/** A log that a driver writes: that of one thread. */
export interface DrivenLog {
  /**
   * Appends events to the log of a run; returns the number of the last one. The numbers of a thread
   * ascend by one. With `messages`, the run ends with the last event, and these are its messages.
   */
  append(
    runId: string,
    events: readonly NewEvent[],
    messages?: readonly NewStoredMessage[],
  ): Awaitable<number>;
}

/** A log that followers read: that of one thread. */
export interface FollowedLog {
  /**
   * Returns entries of a run with numbers above `after` and at most `until`: fewer than `limit`
   * only if there are no others. If `after` is within joined pieces, the first entry has only those
   * after it.
   */
  read(runId: string, after: number, until: number, limit: number): Awaitable<RunLogEntry[]>;
  /** Returns whether the log of a run does not exist, or not any more. */
  isGone(runId: string): Awaitable<boolean>;
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
  setTask(user: string, threadId: string, task: string | null): Awaitable<void>;
  /** Returns the entries of the user's list. */
  tasks(user: string): Awaitable<readonly (readonly [threadId: string, task: string])[]>;
}

/** Returns the day (UTC) of a time in milliseconds since 1970, such as `2026-03-19`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
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

/** The latest messages of a thread, as JSON. */
export interface LatestMessages {
  readonly messages: readonly string[];
  /** Whether the thread has earlier ones. */
  readonly isCut: boolean;
}
