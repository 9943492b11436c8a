// A value that is told to whoever subscribes, at most once per frame.

import { onNextFrame } from "./frame.js";

/** What a store wants to know of its subscribers. */
export interface Attendance {
  /** Somebody has subscribed. */
  joined(): void;
  /** The last subscriber has left, and nobody has come in its place: React's strict mode leaves and comes back at once. */
  left(): void;
}

export class Published<T> {
  readonly #read: () => T;
  readonly #attendance: Attendance;
  readonly #listeners = new Set<{ readonly call: () => void }>();
  #value: T;
  /** Keeps the frame that was asked for from telling. */
  #cancelFrame: (() => void) | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  /** @param read gives the value as it is now: the same object as long as nothing has changed */
  constructor(read: () => T, attendance: Attendance) {
    this.#read = read;
    this.#attendance = attendance;
    this.#value = read();
  }

  /** The value that was told last. */
  get value(): T {
    return this.#value;
  }

  subscribe(listener: () => void): () => void {
    const entry = { call: listener };
    clearTimeout(this.#leaving);
    this.#listeners.add(entry);
    this.#attendance.joined();
    return () => {
      if (this.#listeners.delete(entry) && this.#listeners.size === 0) {
        this.#leaving = setTimeout(() => this.#attendance.left());
      }
    };
  }

  /** The value has changed: it is told with the next frame. */
  soon(): void {
    this.#cancelFrame ??= onNextFrame(() => this.now());
  }

  /** Tells the value at once: what is final waits for no frame, of which a page in the background has none. */
  now(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    const value = this.#read();
    if (value === this.#value) {
      return;
    }
    this.#value = value;
    for (const { call } of [...this.#listeners]) {
      try {
        call();
      } catch (error) {
        // The others are told all the same, and the page of its mistake.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
