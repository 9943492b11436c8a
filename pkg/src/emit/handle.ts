// Handles of objects in the memory of the core, which must be freed.

import { AgentwireError, TrapError } from "../errors.js";
import type { Arguments, Core, Freeable, Result } from "../core.js";
import type { Pieces } from "./pieces.js";

/**
 * The state that a builder and the builders it created share: in the core they are one object, which a trap leaves in
 * an undefined state.
 */
interface Stream {
  error?: TrapError;
  /** The deltas that the core has not recorded yet. */
  pieces?: Pieces | undefined;
}

/** Holds an object of the core. Throws a clear error for calls after it was freed, and after a call that trapped. */
export class Handle<T extends Freeable> {
  readonly #core: Core;
  /**
   * The object. It is kept after it was freed: V8 discards the compiled code of a class when a garbage collection finds
   * no object of it, which would happen between two streams.
   */
  readonly #raw: T;
  #freed = false;
  /** The state that is shared with the creator of this object, and with the objects that it creates. */
  readonly stream: Stream;

  /** @param make creates the object and does nothing else: its errors count as errors of the core */
  constructor(core: Core, make: () => T, stream: Stream = {}) {
    this.#core = core;
    this.stream = stream;
    this.#raw = this.guarded(make);
  }

  /** Calls a method of the object. An invalid call throws an `AgentwireError`. */
  call<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Result<T[M]> {
    const raw = this.present;
    this.settle();
    return this.guarded(() => (raw[method] as (...args: unknown[]) => Result<T[M]>).apply(raw, args));
  }

  /** Calls a method that returns another object of the bindings. */
  make<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Handle<Result<T[M]> & Freeable> {
    const make = () => this.call(method, ...args) as Result<T[M]> & Freeable;
    return new Handle(this.#core, make, this.stream);
  }

  free(): void {
    const wasFreed = this.#freed;
    this.#freed = true;
    if (this.stream.pieces?.writer === this) {
      try {
        this.settle();
      } catch {
        // The next call on the stream throws the error.
      }
    }
    // After a trap, the interrupted call still uses the object.
    if (!wasFreed && this.stream.error === undefined) {
      this.#core.free(this.#raw);
    }
  }

  /** The object. Throws if it was freed. */
  get present(): T {
    if (this.#freed) {
      throw new AgentwireError("freed", "this object was freed and cannot be used any more");
    }
    return this.#raw;
  }

  /** Records the written deltas in the core, before any other call on the stream. `next` are the deltas that follow. */
  settle(next?: Pieces): void {
    const { pieces } = this.stream;
    this.stream.pieces = next;
    if (pieces !== undefined) {
      this.guarded(() => pieces.settle());
    }
  }

  /** Runs a call into the core, and nothing else. Throws the same error again after a call that trapped. */
  guarded<R>(work: () => R): R {
    if (this.stream.error !== undefined) {
      throw this.stream.error;
    }
    try {
      return this.#core.run(work);
    } catch (error) {
      if (error instanceof TrapError) {
        this.stream.error = error;
      }
      throw error;
    }
  }
}
