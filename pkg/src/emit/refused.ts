// The result of a rejected write.

/**
 * A rejected promise that does not count as an unhandled rejection, which would end the process and all its streams. If
 * the promise is not awaited, the run checks `heard` and reports the error.
 */
export class Refused extends Promise<never> {
  /** Derived promises are plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly error: unknown;
  #heard = false;

  constructor(error: unknown) {
    super((_, reject) => reject(error));
    super.then(undefined, () => {});
    this.error = error;
  }

  /** Whether the promise is awaited. */
  get heard(): boolean {
    return this.#heard;
  }

  override then<A = never, B = never>(
    onFulfilled?: ((value: never) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#heard = true;
    return super.then(onFulfilled, onRejected);
  }
}
