// Drives one run: receives the agent's events, stores them in batches, and publishes those that are on the disk.

import type { Storage } from "./platform.js";
import type { Readers } from "./readers.js";
import type { ThreadStorage } from "./storage.js";

/** The limits of a batch: the number of events, bytes, and milliseconds before it is stored. */
const EVENTS = 128;
const BYTES = 64 * 1024;
const AGE = 10;
/** Milliseconds within which an agent must end after its signal was aborted. */
const GRACE = 5000;
/** The maximum number of bytes of one event: a row of the log has less than 2 MB. */
const LARGEST = 1_900_000;

const encoder = new TextEncoder();

/** Yields the entries of a run's log, from its beginning to its end. */
export type Agent = (signal: AbortSignal) => AsyncIterable<string>;

/** The reason why a run was ended from outside. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

const LATE: Failure = { code: "AGENT_TIMEOUT", message: "the run took too long" };
const CANCELLED: Failure = { code: "AGENT_RUN_CANCELLED", message: "the run was cancelled" };

/** The rules for the entries of a run, and for its end. */
export interface Script {
  /** Receives the next entry, and returns its kind; throws if the entry is not allowed here. */
  append(data: string): string;
  /** Whether the end was received. */
  readonly isOver: boolean;
  /** Returns the entries that end the run: the agent has stopped, regularly or because of a failure. */
  ending(failure: Failure | undefined): readonly string[];
  free(): void;
}

interface Stored {
  readonly kind: string;
  readonly data: string;
}

/** One run under way. */
export class Driver {
  readonly #disk: Storage;
  readonly #storage: ThreadStorage;
  readonly #readers: Readers;
  readonly #runId: string;
  readonly #onEnd: (runId: string) => void;
  readonly #script: Script;
  readonly #controller = new AbortController();
  #batch: Stored[] = [];
  #bytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #overdue: ReturnType<typeof setTimeout> | undefined;
  /** Whether later events of the agent are ignored. */
  #isOver = false;
  /** The writes under way; each waits for the previous one. */
  #storing: Promise<void> = Promise.resolve();

  /** @param onEnd is called in the transaction that stores the end */
  constructor(disk: Storage, storage: ThreadStorage, readers: Readers, runId: string, script: Script, onEnd: (runId: string) => void) {
    this.#disk = disk;
    this.#storage = storage;
    this.#readers = readers;
    this.#runId = runId;
    this.#onEnd = onEnd;
    this.#script = script;
  }

  /** Aborts the agent's signal. */
  cancel(): void {
    this.#controller.abort(new DOMException("the run was cancelled", "AbortError"));
  }

  /** Resolves when the end is on the disk. */
  async drive(agent: Agent, timeout: number): Promise<void> {
    const { signal } = this.#controller;
    const timer = setTimeout(() => this.#controller.abort(LATE), timeout);
    const overdue = new Promise<"left">((resolve) => {
      const wait = (): void => void (this.#overdue = setTimeout(() => resolve("left"), GRACE));
      signal.aborted ? wait() : signal.addEventListener("abort", wait, { once: true });
    });
    try {
      const how = await Promise.race([this.#follow(agent(signal)), overdue]);
      this.#end(how === "ended" ? undefined : signal.reason === LATE ? LATE : CANCELLED);
    } catch (error) {
      console.error(error);
      // The agent's error is for the operator only.
      this.#end(signal.reason === LATE ? LATE : { code: "AGENT_FAILED", message: "the agent has failed" });
    } finally {
      [timer, this.#overdue].forEach(clearTimeout);
      await this.#store();
      this.#script.free();
    }
  }

  /** Receives the events until the end. Stops reading an agent that continues for a whole batch after its signal was aborted. */
  async #follow(events: AsyncIterable<string>): Promise<"ended" | "left"> {
    let wasAborted = false;
    for await (const event of events) {
      // An agent that was abandoned may yield later.
      if (this.#isOver) {
        break;
      }
      this.#take(event);
      if (this.#script.isOver) {
        break;
      }
      if (this.#batch.length >= EVENTS || this.#bytes >= BYTES) {
        await this.#store();
        // An agent that never waits would keep timers and requests from running.
        await new Promise((resolve) => setTimeout(resolve));
        if (wasAborted) {
          return "left";
        }
        wasAborted = this.#controller.signal.aborted;
      }
    }
    return "ended";
  }

  #take(data: string): void {
    // A character has three bytes at most.
    if (data.length * 3 > LARGEST && encoder.encode(data).length > LARGEST) {
      throw new RangeError(`the agent has sent an event of more than ${LARGEST} bytes`);
    }
    this.#batch.push({ kind: this.#script.append(data), data });
    this.#bytes += data.length;
    this.#timer ??= setTimeout(() => void this.#store(), AGE);
  }

  #end(failure: Failure | undefined): void {
    this.#isOver = true;
    if (!this.#script.isOver) {
      this.#script.ending(failure).forEach((data) => this.#take(data));
    }
  }

  /** Stores the batch, and publishes it when it is on the disk. */
  #store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storing = this.#storing.then(async () => {
      const batch = this.#batch;
      if (batch.length === 0) {
        return;
      }
      [this.#batch, this.#bytes] = [[], 0];
      const last = this.#storage.together(() => {
        const last = this.#storage.append(this.#runId, batch);
        // The end is the last entry, so it is in this batch.
        if (this.#script.isOver) {
          this.#storage.end(this.#runId, last);
          this.#onEnd(this.#runId);
        }
        return last;
      });
      await this.#disk.sync();
      const first = last - batch.length + 1;
      this.#readers.published(batch.map((stored, at) => ({ number: first + at, runId: this.#runId, ...stored })));
    });
    return this.#storing;
  }
}
