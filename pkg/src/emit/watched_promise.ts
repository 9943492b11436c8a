// Promises of writes, which nobody has to await.

/**
 * A promise whose rejection does not count as an unhandled rejection, which would end the process
 * and all its streams. If nobody awaits it, the run checks `isHandled` and reports the error.
 */
export class WatchedPromise<T> extends Promise<T> {
  /** Derived promises are plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  #isHandled = false;
  readonly #hasLeft: () => boolean;

  /**
   * @param hasLeft returns whether the client has disconnected: then a promise that is derived with
   * `then` or `finally` is watched, too
   */
  constructor(
    executor: (
      resolve: (value: T | PromiseLike<T>) => void,
      reject: (reason: unknown) => void,
    ) => void,
    hasLeft: () => boolean,
  ) {
    super(executor);
    this.#hasLeft = hasLeft;
    super.then(undefined, ignore);
  }

  /** Whether the promise is awaited. */
  get isHandled(): boolean {
    return this.#isHandled;
  }

  /** Calls one of these functions when the promise is settled. Does not count as awaiting it. */
  onSettled(fulfilled: () => void, rejected: (error: unknown) => void): void {
    void super.then(fulfilled, rejected);
  }

  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isHandled = true;
    const derived = super.then(onFulfilled, onRejected);
    void super.then(undefined, () => this.#hasLeft() && void derived.catch(ignore));
    return derived;
  }
}

/** Returns the promise of a rejected write. */
export function rejectedWrite(error: unknown, hasLeft: boolean): WatchedPromise<never> {
  return new WatchedPromise<never>(
    (_, reject) => reject(error),
    () => hasLeft,
  );
}

function ignore(): void {}
