// The connections that follow the log of a thread.

import { cursorNumber, type RunLogEntry, RunSubscription } from "../service.js";
import type { ThreadStore } from "./store.js";

/** The maximum number of entries that a follower reads at once. */
const BATCH = 256;
/** The limits of the last entries in memory, which followers read without the store. */
const RECENT = { entries: 1024, characters: 1024 * 1024 };
/** The number of keep-alives after which a connection whose client reads nothing is closed. The client resumes with its cursor. */
const PATIENCE = 4;

/**
 * Milliseconds between two wake-ups of the followers: `each` for every follower, and twice the time that the last wake-up took, at
 * most `most`. Many followers then use half of the processor's time, and the agent, which runs in the same thread, the other half.
 */
const GAP = { each: 0.1, most: 1000 };
/** The limits of encoded pieces of the log that followers share: their number, and the bytes of each. */
const SHARED = { pieces: 8, bytes: 256 * 1024 };

const encoder = new TextEncoder();
const KEEP_ALIVE = encoder.encode(": keep-alive\n\n");

/** The encoding of entries of the log. */
export interface RunForm {
  /** Two forms with the same name write the same bytes. */
  readonly name: string;
  /** Writes entries of a run that follow a place of the log; `isOver` is set if they include the end of the run. */
  write(runId: string, after: number, entries: readonly RunLogEntry[]): { readonly text: string; readonly isOver: boolean };
}

/** An encoded piece of the log. */
interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of its last entry. */
  readonly last: number;
  readonly isOver: boolean;
}

/** The place at which a connection begins, and the number of keep-alives in a row after which it is closed. */
export interface FollowedPlace {
  readonly after: number;
  readonly idleLimit: number;
}

/** Returns the form that sends a run as AG-UI events, each with its cursor. */
export function eventForm(generation: string): RunForm {
  return {
    name: `events ${generation}`,
    write(runId, after, entries) {
      const subscription = new RunSubscription({ runId, generation, after, idleLimit: 1 });
      entries.forEach((entry) => subscription.read(entry));
      const written = { text: subscription.flush(), isOver: subscription.end === "terminal" };
      subscription.free();
      return written;
    },
  };
}

/** All connections of one thread. Each is a place in the log, without a queue: a slow connection needs no memory. */
export class RunFollowers {
  readonly #store: ThreadStore;
  readonly #keepAliveMs: number;
  readonly #onClose: () => void;
  readonly #waiting = new Set<() => void>();
  readonly #closing = new Set<() => void>();
  /** The last entries that are stored, without a gap. */
  #recent: RunLogEntry[] = [];
  #characters = 0;
  /** The pieces that were read since the last change of the log, by form, run and place. */
  readonly #shared = new Map<string, Promise<Piece>>();
  /** The times at which followers were woken last, and at which the last of them waited again. */
  #woken = 0;
  #settled = 0;
  #waking: ReturnType<typeof setTimeout> | undefined;
  /** The number of the last entry that is stored: later ones are not sent. */
  durable = 0;
  /** The number of connections. */
  open = 0;

  /** @param onClose is called when a connection is closed */
  constructor(store: ThreadStore, keepAliveMs: number, onClose: () => void = () => {}) {
    [this.#store, this.#keepAliveMs, this.#onClose] = [store, keepAliveMs, onClose];
  }

  /** Reports that these entries, and all before them, are stored. */
  published(entries: readonly RunLogEntry[]): void {
    if (entries[0]!.number !== this.durable + 1) {
      this.reread();
    }
    this.durable = entries.at(-1)!.number;
    this.#remember(entries);
    this.#changed();
  }

  /** Reports that another process has stored entries up to this one. */
  reached(last: number): void {
    if (last > this.durable) {
      this.reread();
      this.durable = last;
      this.#changed();
    }
  }

  #changed(): void {
    this.#shared.clear();
    const gap = Math.max(this.open * GAP.each, Math.min(2 * (this.#settled - this.#woken), GAP.most));
    const wait = gap - (Date.now() - this.#woken);
    if (wait < 1) {
      this.#wake();
    } else {
      this.#waking ??= setTimeout(() => this.#wake(), wait);
    }
  }

  #wake(): void {
    clearTimeout(this.#waking);
    this.#waking = undefined;
    this.#woken = Date.now();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach((wake) => wake());
  }

  /** Resolves when more entries are stored. */
  more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Discards the entries in memory after a rewrite of the log, which keeps its length. The log must have no followers. */
  reread(): void {
    [this.#recent, this.#characters] = [[], 0];
    this.#shared.clear();
  }

  /** Closes all connections. Their clients resume. */
  close(): void {
    [...this.#closing].forEach((close) => close());
    this.#wake();
  }

  /** Returns the place of a cursor: 0 without a cursor, undefined if the cursor is not of this log. */
  placeOf(cursor: string | null, generation: string): number | undefined {
    const place = cursor === null || cursor === "" ? 0 : cursorNumber(cursor, generation);
    return place === undefined ? undefined : this.placeAt(place);
  }

  /** Returns the place of the log with that number, if it exists. */
  placeAt(place: number): number | undefined {
    return Number.isSafeInteger(place) && place >= 0 && place <= this.durable ? place : undefined;
  }

  /** Returns the bytes of a connection; they are encoded on demand. */
  stream(runId: string, form: RunForm, { after, idleLimit }: FollowedPlace, signal: AbortSignal): ReadableStream<Uint8Array> {
    let isOpen = true;
    let isCancelled = false;
    let idle = 0;
    let stalled: ReturnType<typeof setTimeout> | undefined;
    let wake: (() => void) | undefined;
    const close = (): void => {
      if (isOpen) {
        isOpen = false;
        clearTimeout(stalled);
        signal.removeEventListener("abort", close);
        this.#closing.delete(close);
        this.open--;
        wake?.();
        this.#onClose();
      }
    };
    this.open++;
    this.#closing.add(close);
    signal.addEventListener("abort", close, { once: true });
    if (signal.aborted) {
      close();
    }
    const giveTime = (controller: ReadableByteStreamController): void => {
      stalled = setTimeout(() => {
        if (isOpen) {
          close();
          controller.close();
        }
      }, this.#keepAliveMs * PATIENCE);
    };
    const pull = async (controller: ReadableByteStreamController): Promise<void> => {
      clearTimeout(stalled);
      while (isOpen) {
        const { durable } = this;
        const { bytes, last, isOver } = await this.#read(runId, form, after);
        if (!isOpen) {
          break;
        }
        after = last;
        if (bytes.length > 0) {
          idle = 0;
          // A byte stream detaches the buffer that it receives.
          controller.enqueue(bytes.slice());
        }
        if (isOver || idle >= idleLimit) {
          close();
          break;
        }
        if (bytes.length > 0) {
          return giveTime(controller);
        }
        // Entries that were stored during the read have woken the followers that waited then.
        if (durable !== this.durable) {
          continue;
        }
        const isIdle = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), this.#keepAliveMs);
          wake = () => {
            clearTimeout(timer);
            resolve(false);
          };
          this.#waiting.add(wake);
          this.#settled = Date.now();
        });
        this.#waiting.delete(wake!);
        wake = undefined;
        if (isIdle && isOpen) {
          controller.enqueue(KEEP_ALIVE.slice());
          if (++idle < idleLimit) {
            return giveTime(controller);
          }
        }
      }
      if (!isCancelled) {
        controller.close();
      }
    };
    const cancel = (): void => {
      isCancelled = true;
      close();
    };
    return new ReadableStream({ type: "bytes", start: giveTime, pull, cancel });
  }

  /** Returns the next piece for a connection. Connections at the same place share it. */
  #read(runId: string, form: RunForm, after: number): Promise<Piece> {
    const key = `${after} ${form.name} ${runId}`;
    const shared = this.#shared.get(key);
    if (shared !== undefined) {
      return shared;
    }
    const reading = this.#piece(runId, form, after);
    if (this.#shared.size >= SHARED.pieces) {
      this.#shared.clear();
    }
    this.#shared.set(key, reading);
    const forget = (): void => void (this.#shared.get(key) === reading && this.#shared.delete(key));
    reading.then(({ bytes }) => bytes.length > SHARED.bytes && forget(), forget);
    return reading;
  }

  async #piece(runId: string, form: RunForm, after: number): Promise<Piece> {
    const { durable } = this;
    const entries = await this.#entries(runId, after);
    const { text, isOver } = form.write(runId, after, entries);
    const last = entries.at(-1)?.number ?? after;
    return { bytes: encoder.encode(text), last, isOver: isOver || (entries.length === 0 && after < durable && (await this.#isGone(runId))) };
  }

  /** Returns whether the log of a run was deleted, by another process: the client resumes, and receives the reason. */
  async #isGone(runId: string): Promise<boolean> {
    const run = await this.#store.run(runId);
    return run === undefined || run.status === "expired";
  }

  #entries(runId: string, after: number): RunLogEntry[] | PromiseLike<RunLogEntry[]> {
    if (after >= this.durable) {
      return [];
    }
    const [first] = this.#recent;
    const from = after + 1;
    return first !== undefined && from >= first.number
      ? this.#recent.slice(from - first.number).filter((entry) => entry.runId === runId).slice(0, BATCH)
      : this.#store.read(runId, after, this.durable, BATCH);
  }

  #remember(entries: readonly RunLogEntry[]): void {
    this.#recent.push(...entries);
    this.#characters += entries.reduce((sum, { data }) => sum + data.length, 0);
    let surplus = 0;
    while (this.#recent.length - surplus > RECENT.entries || (this.#characters > RECENT.characters && surplus < this.#recent.length)) {
      this.#characters -= this.#recent[surplus++]!.data.length;
    }
    this.#recent.splice(0, surplus);
  }
}
