// Drives one run: takes the agent's events, stores them in batches, and shows what is on the disk.

import type { Storage } from "./platform.js";
import type { Readers } from "./readers.js";
import type { ThreadStorage } from "./storage.js";

/** A batch is stored when it has so many events or bytes, or is so many milliseconds old. */
const EVENTS = 128;
const BYTES = 64 * 1024;
const AGE = 10;
/** Milliseconds that an agent may take to end after its signal was aborted. */
const GRACE = 5000;
/** The most bytes of one event: a row of the log has less than 2 MB. */
const LARGEST = 1_900_000;

const encoder = new TextEncoder();

/** Gives what stands in the log of a run, from its beginning to its end. */
export type Agent = (signal: AbortSignal) => AsyncIterable<string>;

/** Why a run ends that did not come to its own end. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

const LATE: Failure = { code: "AGENT_TIMEOUT", message: "the run took too long" };
const CANCELLED: Failure = { code: "AGENT_RUN_CANCELLED", message: "the run was cancelled" };

/** What a run may store, and how it ends. */
export interface Script {
  /** Takes what is about to be stored, and gives its kind; throws for what may not come now. */
  append(data: string): string;
  /** Whether the end was taken. */
  readonly isOver: boolean;
  /** What is to be stored for the run to end: the agent has stopped, of its own accord or because of a failure. */
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
  /** Nothing more is taken of the agent. */
  #isOver = false;
  /** What is being stored; each waits for the one before. */
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

  /** The agent shall stop. */
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
      // What an agent throws is for its operator.
      this.#end(signal.reason === LATE ? LATE : { code: "AGENT_FAILED", message: "the agent has failed" });
    } finally {
      [timer, this.#overdue].forEach(clearTimeout);
      await this.#store();
      this.#script.free();
    }
  }

  /** Takes the events until the end. An agent that goes on for a whole batch after its signal was aborted is left. */
  async #follow(events: AsyncIterable<string>): Promise<"ended" | "left"> {
    let wasAborted = false;
    for await (const event of events) {
      // An agent that was left may come back.
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

  /** Stores what there is, and shows it when it is on the disk. */
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
        // Nothing comes after the end, so it is in this batch.
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
