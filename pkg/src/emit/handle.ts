// Something that lives in the core's memory until it is freed.

import { AgentwireError, guarded } from "../errors.js";

/** An object of the bindings. */
interface Freeable {
  free(): void;
}

/** Holds such an object, and says so clearly when it is used after it was freed. */
export class Handle<T extends Freeable> {
  #raw: T | undefined;

  constructor(make: () => T) {
    this.#raw = guarded(make);
  }

  /** Calls into the core; what is wrong with the call is thrown as an `AgentwireError`. */
  call<R>(work: (raw: T) => R): R {
    const raw = this.#raw;
    if (raw === undefined) {
      throw new AgentwireError("freed", "this builder was freed");
    }
    return guarded(() => work(raw));
  }

  free(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    raw?.free();
  }
}
