// A value whose subscribers are notified at most once per frame.

/** The callbacks for changes of the subscribers. */
export interface SubscriptionHooks {
  /** Called after each new subscription. */
  subscribed(): void;
  /**
   * Called in the task after the last subscriber has left, unless another one has subscribed:
   * React's strict mode unsubscribes and subscribes again immediately.
   */
  unsubscribed(): void;
}

export class PublishedValue<T> {
  readonly #read: () => T;
  readonly #hooks: SubscriptionHooks | undefined;
  readonly #listeners = new Set<{ readonly call: () => void }>();
  #value: T;
  /** Cancels the scheduled notification. */
  #cancelFrame: (() => void) | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  /** @param read returns the current value: the same object as long as nothing has changed */
  constructor(read: () => T, hooks?: SubscriptionHooks) {
    this.#read = read;
    this.#hooks = hooks;
    this.#value = read();
  }

  /** The value at the last notification. */
  get value(): T {
    return this.#value;
  }

  subscribe(listener: () => void): () => void {
    const entry = { call: listener };
    clearTimeout(this.#leaving);
    this.#listeners.add(entry);
    this.#hooks?.subscribed();
    return () => {
      if (
        this.#listeners.delete(entry) &&
        this.#listeners.size === 0 &&
        this.#hooks !== undefined
      ) {
        this.#leaving = setTimeout(() => this.#hooks!.unsubscribed());
      }
    };
  }

  /** Schedules a notification for the next frame. */
  soon(): void {
    this.#cancelFrame ??= onNextFrame(() => this.now());
  }

  /**
   * Notifies immediately. Used for final values, because a page in the background has no frames.
   */
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
        // The error is reported to the page, and the other subscribers are still notified.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

/**
 * Calls `work` once, before the next frame or in a later task. Returns a function that cancels the
 * call.
 */
export function onNextFrame(work: () => void): () => void {
  // A page in the background has no frames, and a worker has no page.
  if (
    typeof requestAnimationFrame === "function" &&
    globalThis.document?.visibilityState === "visible"
  ) {
    const frame = requestAnimationFrame(work);
    return () => cancelAnimationFrame(frame);
  }
  const task = setTimeout(work);
  return () => clearTimeout(task);
}
