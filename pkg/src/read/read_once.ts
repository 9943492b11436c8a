// A sequence of updates with an outcome, which is read once.

import { must } from "../core/errors.js";

/**
 * Yields updates of type `U` to one loop, and resolves to an outcome of type `O`. Reads by itself
 * if no loop does.
 */
export abstract class ReadOnce<U, O> implements AsyncIterable<U>, AsyncDisposable {
  /** The promise of the outcome, and the functions that settle it. */
  protected readonly outcome: Promise<O>;
  protected resolve!: (outcome: O) => void;
  protected reject!: (error: unknown) => void;
  /** Whether a loop or `finished` has started reading. */
  #isTaken = false;

  constructor() {
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.outcome.catch(() => {});
  }

  /** Stops reading. */
  abstract cancel(reason?: unknown): Promise<O>;

  /** Yields the updates, and settles the outcome. Without `looks`, the updates are not used. */
  protected abstract updates(looks: boolean): AsyncGenerator<U, undefined>;

  finished(): Promise<O> {
    // Waits a microtask, so that `finished` can be called right before the loop.
    queueMicrotask(() => void this.#readAlone());
    return this.outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The reader has received the error.
    await this.cancel("the reader has stopped").catch(() => {});
  }

  [Symbol.asyncIterator](): AsyncIterator<U, undefined> {
    must(
      !this.#isTaken,
      "consumed",
      "a run is read once: by one loop, or by finished() without a loop",
    );
    this.#isTaken = true;
    return this.updates(true);
  }

  async #readAlone(): Promise<void> {
    if (this.#isTaken) {
      return;
    }
    this.#isTaken = true;
    const updates = this.updates(false);
    try {
      while (!(await updates.next()).done);
    } catch {
      // The promise of `finished` rejects with the error.
    }
  }
}
