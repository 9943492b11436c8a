// Counts by user, kind and thread, in memory.

import type { CountKind } from "./store.js";

/** The milliseconds for which a count of connections is valid, unless it is renewed. */
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
