// Something that lives in the core's memory until it is freed.

import { AgentwireError, TrapError } from "../errors.js";
import type { Arguments, Core, Freeable, Result } from "../core.js";
import type { Pieces } from "./pieces.js";

/** What is shared by all that was made by each other: in the core it is one object, which a trap leaves half done. */
interface Stream {
  error?: TrapError;
  /** The pieces that are being written. */
  pieces?: Pieces | undefined;
}

/** Holds such an object, and says so clearly when it is used after it was freed, or after a call of it has trapped. */
export class Handle<T extends Freeable> {
  readonly #core: Core;
  /**
   * It stays here when it was freed, as the shell that it then is: V8 throws away what it has compiled for a class when a
   * collection finds no object of it, and would do so between any two streams.
   */
  readonly #raw: T;
  #freed = false;
  /** What it shares with those that it was made by, and those that it makes. */
  readonly stream: Stream;

  /** @param make makes the object, and does nothing else: what it throws counts as the core's */
  constructor(core: Core, make: () => T, stream: Stream = {}) {
    this.#core = core;
    this.stream = stream;
    this.#raw = this.guarded(make);
  }

  /** Calls into the core; what is wrong with the call is thrown as an `AgentwireError`. */
  call<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Result<T[M]> {
    const raw = this.present;
    this.settle();
    return this.guarded(() => (raw[method] as (...args: unknown[]) => Result<T[M]>).apply(raw, args));
  }

  /** What a method makes that gives another object of the bindings. */
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
        // Whoever goes on with the stream is told.
      }
    }
    // What a call has trapped in is still in use by it.
    if (!wasFreed && this.stream.error === undefined) {
      this.#core.free(this.#raw);
    }
  }

  /** The object, which was not freed. */
  get present(): T {
    if (this.#freed) {
      throw new AgentwireError("freed", "this was freed: nothing can be done with it any more");
    }
    return this.#raw;
  }

  /** Tells the core what pieces were written, before anything else of the stream is done; `next` are those that follow. */
  settle(next?: Pieces): void {
    const { pieces } = this.stream;
    this.stream.pieces = next;
    if (pieces !== undefined) {
      this.guarded(() => pieces.settle());
    }
  }

  /** Does a call into the core, and nothing else. After one that has trapped there is none. */
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
