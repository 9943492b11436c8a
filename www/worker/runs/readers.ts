// The connections that read a thread's log.

import { RunSubscription } from "agentwire";
import type { ThreadStorage } from "./storage.js";

/** How many entries a reader takes at once. */
const BATCH = 256;

const encoder = new TextEncoder();

/** What a connection reads. */
export interface Reading {
  readonly runId: string;
  readonly after: number;
  readonly idleLimit: number;
}

/** All connections of one thread. Each is a place in the log: nothing is queued for it, and a slow one costs nothing. */
export class Readers {
  readonly #storage: ThreadStorage;
  readonly #keepAlive: number;
  readonly #waiting = new Set<() => void>();
  /** The last entry that is on the disk: no later one is shown. */
  durable: number;
  open = 0;

  constructor(storage: ThreadStorage, keepAlive: number) {
    this.#storage = storage;
    this.#keepAlive = keepAlive;
    this.durable = storage.owner === undefined ? 0 : storage.last();
  }

  /** Everything up to here is on the disk. */
  published(number: number): void {
    this.durable = number;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach((wake) => wake());
  }

  /** The bytes of a connection, made when they are asked for. */
  stream({ runId, after, idleLimit }: Reading, signal: AbortSignal): ReadableStream<Uint8Array> {
    const { generation } = this.#storage;
    const subscription = new RunSubscription({ runId, generation, after, idleLimit });
    let isOpen = true;
    let wake: (() => void) | undefined;
    const close = (): void => {
      if (isOpen) {
        isOpen = false;
        this.open--;
        wake?.();
        subscription.free();
      }
    };
    this.open++;
    signal.addEventListener("abort", close, { once: true });
    const pull = async (controller: ReadableByteStreamController): Promise<void> => {
      while (isOpen) {
        const text = this.#read(runId, subscription);
        const isOver = subscription.end !== undefined;
        if (text !== "") {
          controller.enqueue(encoder.encode(text));
        }
        if (isOver) {
          signal.removeEventListener("abort", close);
          close();
          controller.close();
        }
        if (text !== "" || isOver) {
          return;
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
    return new ReadableStream({ type: "bytes", pull, cancel: close });
  }

  #read(runId: string, subscription: RunSubscription): string {
    for (const entry of this.#storage.entries(runId, subscription.after, this.durable, BATCH)) {
      subscription.read(entry);
    }
    return subscription.flush();
  }
}
