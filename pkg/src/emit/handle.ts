// Something that lives in the core's memory until it is freed.

import { AgentwireError, TrapError } from "../errors.js";
import type { Arguments, Core, Freeable, Result } from "../core.js";

/** Holds such an object, and says so clearly when it is used after it was freed, or after a call of it has trapped. */
export class Handle<T extends Freeable> {
  readonly #core: Core;
  #raw: T | undefined;
  /** Shared with all that was made by each other: in the core it is one object, which a trap leaves half done. */
  readonly #trap: { error?: TrapError };

  /** @param make makes the object, and does nothing else: what it throws counts as the core's */
  constructor(core: Core, make: () => T, trap: { error?: TrapError } = {}) {
    this.#core = core;
    this.#trap = trap;
    this.#raw = this.#guarded(make);
  }

  /** Calls into the core; what is wrong with the call is thrown as an `AgentwireError`. */
  call<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Result<T[M]> {
    const raw = this.#raw;
    if (raw === undefined) {
      throw new AgentwireError("freed", "this was freed: nothing can be done with it any more");
    }
    return this.#guarded(() => (raw[method] as (...args: unknown[]) => Result<T[M]>).apply(raw, args));
  }

  /** What a method makes that gives another object of the bindings. */
  make<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Handle<Result<T[M]> & Freeable> {
    const make = () => this.call(method, ...args) as Result<T[M]> & Freeable;
    return new Handle(this.#core, make, this.#trap);
  }

  free(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    // What a call has trapped in is still in use by it.
    if (raw !== undefined && this.#trap.error === undefined) {
      this.#core.free(raw);
    }
  }

  #guarded<R>(work: () => R): R {
    if (this.#trap.error !== undefined) {
      throw this.#trap.error;
    }
    try {
      return this.#core.run(work);
    } catch (error) {
      if (error instanceof TrapError) {
        this.#trap.error = error;
      }
      throw error;
    }
  }
}
