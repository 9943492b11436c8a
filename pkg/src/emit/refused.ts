// What whoever writes gets when the write is refused.

/**
 * A rejected promise. Whoever awaits it is told what was wrong. If nobody does, that is no unhandled rejection, which would
 * end the process and with it everybody else's streams: the run asks `heard` and is told instead.
 */
export class Refused extends Promise<never> {
  /** Promises that are made from it are plain ones. */
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

  /** Whether somebody awaits it. */
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
