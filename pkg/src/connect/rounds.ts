// The run of one `send`, which may consist of several requests.

import type { Outcome, Protocol } from "../core/outcome.js";
import { ReadOnce } from "../read/read_once.js";
import type { AgentRun, AgentUpdate } from "./agent.js";

export class Rounds<P extends Protocol> extends ReadOnce<AgentUpdate<P>, Outcome<P>> implements AgentRun<P> {
  readonly #updates: AsyncGenerator<AgentUpdate<P>, Outcome<P>>;
  readonly #stop: (reason: unknown) => void;
  readonly #over: () => void;

  /** @param over called when the updates have ended, also when their loop was left */
  constructor(updates: AsyncGenerator<AgentUpdate<P>, Outcome<P>>, stop: (reason: unknown) => void, over: () => void) {
    super();
    this.#updates = updates;
    this.#stop = stop;
    this.#over = over;
  }

  cancel(reason?: unknown): Promise<Outcome<P>> {
    this.#stop(reason);
    return this.finished();
  }

  protected async *updates(): AsyncGenerator<AgentUpdate<P>, undefined> {
    let isOver = false;
    try {
      for (;;) {
        const { done, value } = await this.#updates.next();
        if (done) {
          isOver = true;
          return void this.settle(value);
        }
        yield value;
      }
    } catch (error) {
      isOver = true;
      this.fail(error);
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
          return this.settle(value);
        }
      }
    } catch (error) {
      this.fail(error);
    }
  }
}
