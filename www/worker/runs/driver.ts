// Drives one run: takes the agent's events, stores them in batches, and shows what is on the disk.

import { RunWriter, runErrorEvent } from "agentwire";
import type { Storage } from "./platform.js";
import type { Readers } from "./readers.js";
import type { ThreadStorage } from "./storage.js";

/** A batch is stored when it has so many events or bytes, or is so many milliseconds old. */
const EVENTS = 128;
const BYTES = 64 * 1024;
const AGE = 10;

/** Gives the events of a run, each as JSON, from RUN_STARTED to the terminal one. */
export type Agent = (input: string, signal: AbortSignal) => AsyncIterable<string>;

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
  readonly #writer: RunWriter;
  readonly #controller = new AbortController();
  #batch: Stored[] = [];
  #bytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What is being stored; each waits for the one before. */
  #storing: Promise<void> = Promise.resolve();

  /** @param onEnd is called in the transaction that stores the terminal event */
  constructor(disk: Storage, storage: ThreadStorage, readers: Readers, runId: string, onEnd: (runId: string) => void) {
    this.#disk = disk;
    this.#storage = storage;
    this.#readers = readers;
    this.#runId = runId;
    this.#onEnd = onEnd;
    this.#writer = new RunWriter(runId);
  }

  /** The agent shall stop. */
  cancel(): void {
    this.#controller.abort(new DOMException("the run was cancelled", "AbortError"));
  }

  /** Resolves when the terminal event is on the disk. */
  async drive(agent: Agent, input: string, timeout: number): Promise<void> {
    const late = { code: "AGENT_TIMEOUT", message: "the run took too long" };
    const timer = setTimeout(() => this.#controller.abort(late), timeout);
    try {
      for await (const event of agent(input, this.#controller.signal)) {
        this.#take(event);
        if (this.#writer.isOver) {
          break;
        }
        if (this.#batch.length >= EVENTS || this.#bytes >= BYTES) {
          await this.#store();
        }
      }
      if (!this.#writer.isOver) {
        this.#fail("AGENT_TRUNCATED", "the agent has stopped before its end");
      }
    } catch (error) {
      console.error(error);
      const isLate = this.#controller.signal.reason === late;
      // What an agent throws is for its operator.
      isLate ? this.#fail(late.code, late.message) : this.#fail("AGENT_FAILED", "the agent has failed");
    } finally {
      clearTimeout(timer);
      await this.#store();
      this.#writer.free();
    }
  }

  #take(data: string): void {
    this.#batch.push({ kind: this.#writer.append(data), data });
    this.#bytes += data.length;
    this.#timer ??= setTimeout(() => void this.#store(), AGE);
  }

  #fail(code: string, message: string): void {
    if (this.#writer.isOver) {
      return;
    }
    const failure = runErrorEvent(code, message);
    try {
      this.#take(failure);
    } catch {
      // Nothing was said yet.
      this.#take(JSON.stringify({ type: "RUN_STARTED", threadId: "", runId: this.#runId }));
      this.#take(failure);
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
        if (isTerminal(batch.at(-1)!.kind)) {
          this.#storage.end(this.#runId, last);
          this.#onEnd(this.#runId);
        }
        return last;
      });
      await this.#disk.sync();
      this.#readers.published(last);
    });
    return this.#storing;
  }
}

/** Whether an event ends its run. */
export function isTerminal(kind: string): boolean {
  return kind === "RUN_FINISHED" || kind === "RUN_ERROR";
}
