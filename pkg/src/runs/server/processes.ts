// The processes that use a store. Each has a log, whose head changes while the process responds. No
// clock is compared with that of another machine: a process is replaced when its head has not
// changed for some time by the clock of the process that looks at it.

import { unref } from "../../core/timers.js";
import type { LogStore } from "../../stores/log_store.js";

/** The milliseconds after which a process that does not respond is replaced. */
const LEASE = 10_000;
/** The list of all processes, and the age at which the log of one that was killed is deleted. */
const LABEL = "processes";
const KEPT = 24 * 3600 * 1000;

/** This process among those that use a store. */
export class Processes {
  readonly id: string = crypto.randomUUID();
  readonly leaseMs: number;
  readonly #store: LogStore;
  /** The heads of other processes, and the times at which they were seen first. */
  readonly #seen = new Map<string, { readonly data: string; readonly since: number }>();
  #beats = 0;
  #latest: { readonly at: number; readonly stored: Promise<unknown> } | undefined;
  #beating: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(store: LogStore) {
    [this.#store, this.leaseMs] = [store, store.leaseMs ?? LEASE];
  }

  /** Resolves when the others know that this process responds; from then on they know it. */
  async taken(): Promise<void> {
    if (this.#beating === undefined && !this.#isClosed) {
      this.#beating = setInterval(() => void this.#beat().catch(() => {}), this.leaseMs / 3);
      unref(this.#beating);
    }
    await (this.#latest !== undefined && performance.now() - this.#latest.at < this.leaseMs / 2
      ? this.#latest.stored
      : this.#beat());
  }

  async #beat(): Promise<void> {
    const head = { label: LABEL, at: Date.now(), data: String(++this.#beats) };
    const latest = {
      at: performance.now(),
      stored: Promise.resolve(this.#store.append(nameOf(this.id), 0, [], head)),
    };
    this.#latest = latest;
    try {
      await latest.stored;
    } catch (error) {
      if (this.#latest === latest) {
        this.#latest = undefined;
      }
      throw error;
    }
  }

  /** Returns whether a process is this one, or responds as far as this one knows. */
  async isAlive(process: string): Promise<boolean> {
    if (process === this.id) {
      return true;
    }
    const { head } = await this.#store.read(nameOf(process), 0, 0);
    if (head === undefined) {
      this.#seen.delete(process);
      return false;
    }
    const now = performance.now();
    const seen = this.#seen.get(process);
    if (seen?.data !== head.data) {
      this.#seen.set(process, { data: head.data, since: now });
      return true;
    }
    return now - seen.since <= this.leaseMs;
  }

  /** Deletes the logs of processes that were killed long ago. */
  async clean(): Promise<void> {
    const listed = await this.#store.list({ label: LABEL, limit: 1000 });
    for (const { log } of listed.filter(({ head }) => head.at < Date.now() - KEPT)) {
      this.#seen.delete(log.slice(nameOf("").length));
      await this.#store.delete(log);
    }
  }

  /** Lets other processes continue the work of this one at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#beating);
    if (this.#latest !== undefined) {
      await this.#latest.stored.catch(() => {});
      await this.#store.delete(nameOf(this.id));
    }
  }
}

function nameOf(process: string): string {
  return `process/${process}`;
}
