// The result of a rejected write.

/**
 * A rejected promise that does not count as an unhandled rejection, which would end the process and all its streams. If
 * the promise is not awaited, the run checks `isHandled` and reports the error.
 */
export class RejectedWrite extends Promise<never> {
  /** Derived promises are plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly error: unknown;
  #isHandled = false;

  constructor(error: unknown) {
    super((_, reject) => reject(error));
    super.then(undefined, () => {});
    this.error = error;
  }

  /** Whether the promise is awaited. */
  get isHandled(): boolean {
    return this.#isHandled;
  }

  override then<A = never, B = never>(
    onFulfilled?: ((value: never) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isHandled = true;
    return super.then(onFulfilled, onRejected);
  }
}
