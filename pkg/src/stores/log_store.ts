// The interface of stores. A store keeps logs; threads, runs, messages, tasks and counters are
// derived from logs by shared code.

import type { Awaitable } from "../core/platform.js";

export type { Awaitable };

/**
 * The head of a log, which is replaced by each append. Its texts, like those of entries, have no
 * NUL and no unpaired surrogates.
 */
export interface LogHead {
  /** The list to which the log belongs. */
  readonly label?: string | undefined;
  /** The place of the log in its list: an integer below 2^53. */
  readonly at: number;
  /** The place of the log in the list of logs with work to do, if it has any. */
  readonly due?: number | undefined;
  /** The state that is derived from the log, or the content of a log without entries. */
  readonly data: string;
}

/** An entry of a log. */
export interface LogEntry {
  /** The place of the entry: an integer below 2^53 and above that of the entry before it. */
  readonly position: number;
  /** At most 1,900,000 bytes of UTF-8. */
  readonly text: string;
}

/** A part of a log. */
export interface LogPage {
  /** The head; undefined if the log does not exist. */
  readonly head?: LogHead | undefined;
  /** The position of the last entry of the log; 0 without entries. */
  readonly last: number;
  readonly entries: readonly LogEntry[];
}

/** A log in a list. */
export interface ListedLog {
  readonly log: string;
  readonly head: LogHead;
}

/**
 * A query of logs: those with a label, from the highest `at` to the lowest; or those with a `due`
 * of at most this number, from the lowest to the highest.
 */
export type LogQuery = ({ readonly label: string } | { readonly due: number }) & {
  /** The last log of the previous page. */
  readonly after?: ListedLog | undefined;
  readonly limit: number;
};

/**
 * A store of logs. The name of a log, and a label, has at most 300 characters, each of them a
 * letter of ASCII, a digit, or one of `-_./`. Each method is atomic for its log; no method changes
 * two logs. A method that writes resolves when its writes are durable, and later reads see them. A
 * method that rejects may have written or not.
 */
export interface LogStore {
  /**
   * Appends entries to a log whose last entry has the position `after` (0: the log has no entries,
   * or does not exist), and replaces its head. Returns false, without a change, if the last entry
   * has another position. Without entries only the head is replaced.
   */
  append(
    log: string,
    after: number,
    entries: readonly LogEntry[],
    head: LogHead,
  ): Awaitable<boolean>;
  /**
   * Returns the first entries with positions above `after`, at most `limit`, which may be 0; and
   * the head and the last position, which are not older than the entries.
   */
  read(log: string, after: number, limit: number): Awaitable<LogPage>;
  /** Returns the logs of a list. */
  list(query: LogQuery): Awaitable<readonly ListedLog[]>;
  /** Deletes a log; with `last`, only if its last entry has this position. */
  delete(log: string, last?: number): Awaitable<void>;
  /**
   * For stores that several processes use: calls `changed` after changes by other processes to the
   * log `name` and the logs whose names begin with `name/`. Several changes may be one call, and a
   * call without a change is allowed. Resolves when changes are reported, with a function that ends
   * it. `name` has no slash.
   */
  watch?(name: string, changed: () => void): Awaitable<() => void>;
  /**
   * For stores that several processes use: the milliseconds after which a process that does not
   * respond is replaced; 10,000 by default.
   */
  readonly leaseMs?: number | undefined;
}

/** Returns the first part of a name: the one that is watched. */
export function watchedName(log: string): string {
  const end = log.indexOf("/");
  return end < 0 ? log : log.slice(0, end);
}
