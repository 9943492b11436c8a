// The run of one `send`, which may consist of several requests.

import { AgentwireError } from "../core/errors.js";
import type { Outcome, Protocol } from "../core/outcome.js";
import type { AgentRun, AgentUpdate } from "./agent.js";

export class Rounds<P extends Protocol> implements AgentRun<P> {
  readonly #updates: AsyncGenerator<AgentUpdate<P>, Outcome<P>>;
  readonly #stop: (reason: unknown) => void;
  readonly #over: () => void;
  readonly #finished: Promise<Outcome<P>>;
  #resolve!: (outcome: Outcome<P>) => void;
  #reject!: (error: unknown) => void;
  #isTaken = false;

  /** @param over called when the updates have ended, also when their loop was left */
  constructor(updates: AsyncGenerator<AgentUpdate<P>, Outcome<P>>, stop: (reason: unknown) => void, over: () => void) {
    this.#updates = updates;
    this.#stop = stop;
    this.#over = over;
    this.#finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#finished.catch(() => {});
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentUpdate<P>, undefined> {
    if (this.#isTaken) {
      throw new AgentwireError("consumed", "a run is read once: by one loop, or by finished() without a loop");
    }
    this.#isTaken = true;
    return this.#read();
  }

  finished(): Promise<Outcome<P>> {
    // Waits a microtask, so that `finished` can be called right before the loop.
    queueMicrotask(() => void this.#readAlone());
    return this.#finished;
  }

  cancel(reason?: unknown): Promise<Outcome<P>> {
    this.#stop(reason);
    return this.finished();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel("the run was disposed").catch(() => {});
  }

  async #readAlone(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      const updates = this.#read();
      try {
        while (!(await updates.next()).done);
      } catch {
        // The promise of `finished` rejects with the error.
      }
    }
  }

  async *#read(): AsyncGenerator<AgentUpdate<P>, undefined> {
    let isOver = false;
    try {
      for (;;) {
        const { done, value } = await this.#updates.next();
        if (done) {
          isOver = true;
          return void this.#resolve(value);
        }
        yield value;
      }
    } catch (error) {
      isOver = true;
      this.#reject(error);
      throw error;
    } finally {
      this.#over();
      // The loop was left: the run was stopped, and its last outcome is available.
      isOver || void this.#drain();
    }
  }

  async #drain(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#updates.next();
        if (done) {
          return this.#resolve(value);
        }
      }
    } catch (error) {
      this.#reject(error);
    }
  }
}
