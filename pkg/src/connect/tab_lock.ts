// The lock of the tab that runs a stored chat. Tabs run one after the other, so that none of them
// overwrites what another one stores.

/** The part of `navigator.locks` that is used. */
interface Locks {
  request(
    name: string,
    options: { readonly ifAvailable: boolean },
    hold: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

/**
 * Returns the lock of a chat that is stored under a key; undefined where there are no tabs or no
 * locks.
 */
export function tabLock(key: string): TabLock | undefined {
  const { locks } = (globalThis.navigator ?? {}) as { readonly locks?: Locks };
  return locks === undefined || typeof document === "undefined"
    ? undefined
    : new TabLock(locks, `agentwire chat ${key}`);
}

export class TabLock {
  readonly #locks: Locks;
  readonly #name: string;
  #release: (() => void) | undefined;
  /** Pending while this tab waits for the lock. */
  #waiting: Promise<boolean> | undefined;

  constructor(locks: Locks, name: string) {
    this.#locks = locks;
    this.#name = name;
  }

  get isHeld(): boolean {
    return this.#release !== undefined;
  }

  /**
   * Takes the lock, which the browser releases when the page is left. Resolves to false if another
   * tab has it; with `waits` when it is free.
   */
  take(waits: boolean): Promise<boolean> {
    if (this.isHeld) {
      return Promise.resolve(true);
    }
    if (!waits) {
      return this.#request(true);
    }
    // A second request of the same tab would wait for the first one.
    return (this.#waiting ??= this.#request(false).finally(() => (this.#waiting = undefined)));
  }

  #request(ifAvailable: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const held = this.#locks.request(this.#name, { ifAvailable }, (lock) => {
        const isTaken = lock !== null;
        const released = isTaken
          ? new Promise<void>((release) => (this.#release = release))
          : undefined;
        resolve(isTaken);
        return released;
      });
      // Pages without an own origin have no locks.
      held.catch(() => resolve(true));
    });
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
