// The connections that read a thread's log.

import { cursorNumber, type RunLogEntry, RunSubscription } from "agentwire/runs/server";
import type { ThreadStorage } from "./storage.js";

/** How many entries a reader takes at once. */
const BATCH = 256;
/** How many of the last entries, and how many characters of them, readers find without asking the disk. */
const RECENT = { entries: 1024, characters: 1024 * 1024 };
/** A connection whose reader takes nothing for so many keep-alives is closed. Whoever comes back has a cursor. */
const PATIENCE = 4;

/**
 * Milliseconds between two times at which readers are woken: so many for each of them, and twice the time that they took, up to a limit.
 * Many readers then take half of the processor's time, and the agent, which runs in the same thread, has the other half.
 */
const GAP = { each: 0.1, most: 1000 };
/** What readers share: so many pieces of the log as they are sent, each of so many bytes at most. */
const SHARED = { pieces: 8, bytes: 256 * 1024 };

const encoder = new TextEncoder();
const KEEP_ALIVE = encoder.encode(": keep-alive\n\n");

/** How entries of the log are sent. */
export interface Form {
  /** Two forms of the same name write the same. */
  readonly name: string;
  /** Writes entries of a run that follow a place of the log. */
  write(runId: string, after: number, entries: readonly RunLogEntry[]): Written;
}

/** Entries as they are sent. */
export interface Written {
  readonly text: string;
  /** Whether the end of the run is among them. */
  readonly isOver: boolean;
}

/** A piece of the log as it is sent. */
interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of its last entry. */
  readonly last: number;
  readonly isOver: boolean;
}

/** Where a connection begins, and how often it may be idle before it is closed. */
export interface Place {
  readonly after: number;
  readonly idleLimit: number;
}

/** Sends a run as AG-UI's events, each under its cursor. */
export function eventForm(generation: string): Form {
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

/** All connections of one thread. Each is a place in the log: nothing is queued for it, and a slow one costs nothing. */
export class Readers {
  readonly #storage: ThreadStorage;
  readonly #keepAlive: number;
  readonly #waiting = new Set<() => void>();
  /** The last entries that are on the disk, without a gap. */
  #recent: RunLogEntry[] = [];
  #characters = 0;
  /** What was read since the log has changed, by form, run and place. */
  readonly #shared = new Map<string, Piece>();
  /** When readers were woken last, and when the last of them waited again. */
  #woken = 0;
  #settled = 0;
  #waking: ReturnType<typeof setTimeout> | undefined;
  /** The last entry that is on the disk: no later one is shown. */
  durable: number;
  open = 0;
  readonly #onClose: () => void;

  /** @param onClose is called when a connection is closed */
  constructor(storage: ThreadStorage, keepAlive: number, onClose: () => void = () => {}) {
    this.#storage = storage;
    this.#onClose = onClose;
    this.#keepAlive = keepAlive;
    this.durable = storage.owner === undefined ? 0 : storage.last();
  }

  /** These entries are on the disk, and all before them. */
  published(entries: readonly RunLogEntry[]): void {
    if (entries[0]!.number !== this.durable + 1) {
      [this.#recent, this.#characters] = [[], 0];
    }
    this.durable = entries.at(-1)!.number;
    this.#remember(entries);
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

  /** Resolves when more is on the disk. */
  more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** The log is another one, of the same length: nobody may be reading it. */
  reread(): void {
    [this.#recent, this.#characters] = [[], 0];
    this.#shared.clear();
  }

  /** The place of the log that a request comes back with: 0 for the beginning, undefined where it has none of this log. */
  placeOf({ headers }: Request): number | undefined {
    const cursor = headers.get("last-event-id") ?? "";
    const place = cursor === "" ? 0 : cursorNumber(cursor, this.#storage.generation);
    return place === undefined ? undefined : this.placeAt(place);
  }

  /** A place of the log, if there is one of that number. */
  placeAt(place: number): number | undefined {
    return Number.isSafeInteger(place) && place >= 0 && place <= this.durable ? place : undefined;
  }

  /** The bytes of a connection, made when they are asked for. */
  stream(runId: string, form: Form, { after, idleLimit }: Place, signal: AbortSignal): ReadableStream<Uint8Array> {
    let isOpen = true;
    let idle = 0;
    let stalled: ReturnType<typeof setTimeout> | undefined;
    let wake: (() => void) | undefined;
    const close = (): void => {
      if (isOpen) {
        isOpen = false;
        clearTimeout(stalled);
        this.open--;
        wake?.();
        this.#onClose();
      }
    };
    this.open++;
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
      }, this.#keepAlive * PATIENCE);
    };
    const pull = async (controller: ReadableByteStreamController): Promise<void> => {
      clearTimeout(stalled);
      while (isOpen) {
        const { bytes, last, isOver } = this.#read(runId, form, after);
        after = last;
        if (bytes.length > 0) {
          idle = 0;
          // A stream takes the buffer that it is given.
          controller.enqueue(bytes.slice());
        }
        if (isOver || idle >= idleLimit) {
          signal.removeEventListener("abort", close);
          close();
          return controller.close();
        }
        if (bytes.length > 0) {
          return giveTime(controller);
        }
        const isIdle = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), this.#keepAlive);
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
    };
    return new ReadableStream({ type: "bytes", start: giveTime, pull, cancel: close });
  }

  /** What a connection is sent next. */
  #read(runId: string, form: Form, after: number): Piece {
    const key = `${after} ${form.name} ${runId}`;
    const shared = this.#shared.get(key);
    if (shared !== undefined) {
      return shared;
    }
    const entries = this.#entries(runId, after);
    const { text, isOver } = form.write(runId, after, entries);
    const piece = { bytes: encoder.encode(text), last: entries.at(-1)?.number ?? after, isOver };
    if (piece.bytes.length <= SHARED.bytes) {
      if (this.#shared.size >= SHARED.pieces) {
        this.#shared.clear();
      }
      this.#shared.set(key, piece);
    }
    return piece;
  }

  #entries(runId: string, after: number): RunLogEntry[] {
    const [first] = this.#recent;
    const from = after + 1;
    return first !== undefined && from >= first.number
      ? this.#recent.slice(from - first.number).filter((entry) => entry.runId === runId).slice(0, BATCH)
      : this.#storage.entries(runId, after, this.durable, BATCH);
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
