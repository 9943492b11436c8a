// The connections that read a thread's log.

import { type RunLogEntry, cursorNumber } from "agentwire";
import type { ThreadStorage } from "./storage.js";

/** How many entries a reader takes at once. */
const BATCH = 256;
/** How many of the last entries, and how many characters of them, readers find without asking the disk. */
const RECENT = { entries: 1024, characters: 1024 * 1024 };
/** A connection whose reader takes nothing for so many keep-alives is closed. Whoever comes back has a cursor. */
const PATIENCE = 4;

const encoder = new TextEncoder();

/** What a connection is sent of the log: a `RunSubscription`, or one like it. */
export interface Subscription {
  read(entry: RunLogEntry): void;
  /** There was nothing to send for so long that a comment is due. */
  idle(): void;
  /** What is to be sent now. */
  flush(): string;
  /** The number of the last entry that it has taken. */
  readonly after: number;
  /** Why the connection is to be closed, if it is. */
  readonly end: string | undefined;
  free(): void;
}

/** All connections of one thread. Each is a place in the log: nothing is queued for it, and a slow one costs nothing. */
export class Readers {
  readonly #storage: ThreadStorage;
  readonly #keepAlive: number;
  readonly #waiting = new Set<() => void>();
  /** The last entries that are on the disk, without a gap. */
  #recent: RunLogEntry[] = [];
  #characters = 0;
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
  stream(runId: string, subscription: Subscription, signal: AbortSignal): ReadableStream<Uint8Array> {
    let isOpen = true;
    let stalled: ReturnType<typeof setTimeout> | undefined;
    let wake: (() => void) | undefined;
    const close = (): void => {
      if (isOpen) {
        isOpen = false;
        clearTimeout(stalled);
        this.open--;
        wake?.();
        subscription.free();
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
        const text = this.#read(runId, subscription);
        const isOver = subscription.end !== undefined;
        if (text !== "") {
          controller.enqueue(encoder.encode(text));
        }
        if (isOver) {
          signal.removeEventListener("abort", close);
          close();
          return controller.close();
        }
        if (text !== "") {
          return giveTime(controller);
        }
        const isIdle = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), this.#keepAlive);
          wake = () => {
            clearTimeout(timer);
            resolve(false);
          };
          this.#waiting.add(wake);
        });
        this.#waiting.delete(wake!);
        wake = undefined;
        if (isIdle && isOpen) {
          subscription.idle();
        }
      }
    };
    return new ReadableStream({ type: "bytes", start: giveTime, pull, cancel: close });
  }

  #read(runId: string, subscription: Subscription): string {
    const [first] = this.#recent;
    const from = subscription.after + 1;
    const entries =
      first !== undefined && from >= first.number
        ? this.#recent.slice(from - first.number).filter((entry) => entry.runId === runId).slice(0, BATCH)
        : this.#storage.entries(runId, subscription.after, this.durable, BATCH);
    entries.forEach((entry) => subscription.read(entry));
    return subscription.flush();
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
