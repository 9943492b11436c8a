// The lock of the tab that runs a stored chat: another tab shows the answer, but executes no tools and sends no messages for it.

/** The part of `navigator.locks` that is used. */
interface Locks {
  request(name: string, options: { readonly ifAvailable: true }, hold: (lock: unknown) => Promise<void> | undefined): Promise<unknown>;
}

export class TabLock {
  readonly #name: string;
  #release: (() => void) | undefined;

  /** @param key the key under which the chat is stored */
  constructor(key: string) {
    this.#name = `agentwire chat ${key}`;
  }

  /** Takes the lock, which is released when the page is left. Resolves to false if another tab has it; to true where there are no locks. */
  async take(): Promise<boolean> {
    const { locks } = (globalThis.navigator ?? {}) as { readonly locks?: Locks };
    if (locks === undefined || this.#release !== undefined) {
      return true;
    }
    return new Promise((resolve) => {
      const held = locks.request(this.#name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>((release) => (this.#release = release));
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
