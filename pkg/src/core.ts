// One instance of a wasm module, and what becomes of it when a call into it traps.
//
// This module does not know where instances come from.

import type * as Toolkit from "./agentwire.js";
import type { Exchange as RawExchange, RawReader } from "./agentwire.js";
import type { ErrorCode } from "./error_codes.js";
import { AgentwireError, TrapError, isA, tooLarge } from "./errors.js";
import { Exchange } from "./exchange.js";
import type { Memory } from "./platform.js";

/** What all modules have. */
export type Reading = Pick<typeof Toolkit, "Exchange" | "RawEventReader" | "RawReader" | "version">;

/** What the bindings have for whoever makes the instance. */
interface Loader {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
  __wbg_forget(): void;
}

/** An object of the bindings. */
export interface Freeable {
  free(): void;
}

/** What a function takes, and what it returns. */
export type Arguments<F> = F extends (...args: infer A) => unknown ? A : never;
export type Result<F> = F extends (...args: never) => infer R ? R : never;

/** What each of the modules exports besides what the generated code calls. */
interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  __wbindgen_start(): void;
}

/** One instance of one of the modules, with all that belongs to it. */
export class Core<Bindings extends Reading = Reading> {
  /** The functions and classes that are declared in Rust. To be called by `call` and `run`, which know what a trap is. */
  readonly bindings: Bindings;
  /** Its memory. The `buffer` is a new one whenever that has grown. */
  memory: Memory;
  /** The part of the memory that chunks and patches pass through. */
  readonly exchange: Exchange;
  /** A call has trapped: nothing begins in this instance any more. */
  isLeft = false;
  /** An object of each class that reads, see `keep`. */
  kept: unknown;
  /** A reader whose stream has ended. */
  #spare: RawReader | undefined;
  #traps = 0;

  constructor(bindings: Bindings, instance: { readonly exports: object }) {
    const { memory, __wbindgen_start } = instance.exports as Exports;
    this.bindings = bindings;
    this.memory = memory;
    this.#uses(instance.exports as Exports);
    __wbindgen_start();
    this.exchange = new Exchange(this);
  }

  /** Calls a function of the bindings. */
  call<F extends keyof Bindings>(name: F, ...args: Arguments<Bindings[F]>): Result<Bindings[F]> {
    return this.run(() => (this.bindings[name] as (...args: unknown[]) => Result<Bindings[F]>)(...args));
  }

  /** Does a call into the instance that leaves a text. */
  said(call: (exchange: RawExchange) => void): string {
    const { exchange } = this;
    return this.run(() => {
      call(exchange.raw);
      return exchange.said;
    });
  }

  /** Does a call into the instance, and nothing else: whatever it throws counts as the instance's. */
  run<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw this.thrown(error);
    }
  }

  /**
   * Begins a stream in a reader, and leaves its first patch. A reader whose stream has ended is taken again: registering a new one
   * with the garbage collector (`FinalizationRegistry`) costs about a microsecond.
   */
  read(protocol: number, settings: string, seed: bigint): RawReader {
    const { raw } = this.exchange;
    const spare = this.#spare;
    this.#spare = undefined;
    spare?.restart(protocol, settings, seed, raw);
    return spare ?? new this.bindings.RawReader(protocol, settings, seed, raw);
  }

  /** The stream of a reader has ended, and what it held has been given back. */
  ended(reader: RawReader): void {
    if (this.#spare === undefined) {
      this.#spare = reader;
    } else {
      this.free(reader);
    }
  }

  /** Frees an object of the bindings. Whoever does that wants nothing more, so nothing is thrown. */
  free(object: Freeable): void {
    try {
      object.free();
    } catch (error) {
      this.thrown(error);
    }
  }

  /**
   * Returns the error to throw for what a call into the instance has thrown. A refusal of the core keeps its code. An exception
   * outside of the module's own frames leaves the instance as it was: that call fails, and nothing else. After a trap, what
   * begins from now on begins in another instance.
   *
   * What is at work in this one may go on, if what trapped is the instruction that Rust puts where it ends a program: there
   * is no memory, or a mistake was noticed before it did harm. A call works on its own object, which is not used again, and
   * on the exchange, which is replaced; the allocator is not left in between. After any other trap the memory may hold
   * anything, and nobody goes on.
   */
  thrown(error: unknown): AgentwireError {
    const { name, message, code } = Object(error) as { name?: string; message: string; code: string };
    if (error instanceof AgentwireError) {
      return error;
    }
    if (name === "AgentwireError") {
      return new AgentwireError(code as ErrorCode, message, { cause: error });
    }
    if (this.memory !== NONE && !isTrap(error)) {
      return tooLarge(error);
    }
    // First, and without a call: it may be the stack that was used up.
    this.isLeft = true;
    if (this.memory === NONE) {
      return unsound();
    }
    const isSound = name === "RuntimeError" && /unreachable/i.test(message) && ++this.#traps <= TRAPS;
    try {
      isSound ? this.exchange.renew() : this.abandon();
    } catch {
      this.abandon();
    }
    leave(this);
    // Until it is asked for its stack, an error holds the functions in it, and they the instance.
    void (error as Error).stack;
    return new TrapError(`the WebAssembly module has trapped: ${message}`, error);
  }

  /**
   * Keeps a reader that has read nothing. Where a garbage collection finds no object of a class, V8 throws away the code that
   * it has compiled for them, and a page that reads an answer a minute would begin anew each time.
   */
  keep(fresh: () => object): void {
    if (this.kept === undefined) {
      this.kept = null;
      try {
        this.kept = fresh();
      } catch {
        // There is no memory for it, so there will soon be another core.
      }
    }
  }

  /** From now on every call says what happened, and nothing holds the memory. */
  abandon(): void {
    this.memory = NONE;
    this.#uses(ABANDONED);
    (this.bindings as unknown as Loader).__wbg_forget();
    this.exchange.view();
  }

  #uses(exports: WebAssembly.Exports): void {
    (this.bindings as unknown as Loader).__wbg_set_wasm(exports);
  }
}

/** Errors that were thrown by an import: the module was interrupted in the middle of a call. */
const interrupting = new WeakSet<object>();

/** Returns an import of the module that remembers the errors it throws. */
export function interruptible<T>(imported: T): T {
  if (typeof imported !== "function") {
    return imported;
  }
  const guarded = (...args: unknown[]): unknown => {
    try {
      return imported(...args);
    } catch (error) {
      interrupting.add(Object(error));
      throw error;
    }
  };
  return guarded as T;
}

/** Returns whether the module was stopped inside a call: by an instruction, by an import, or because the stack was used up. */
function isTrap(error: unknown): boolean {
  const { name, message } = Object(error) as { name?: unknown; message?: unknown };
  return name === "RuntimeError" || !isA(error, Error) || interrupting.has(error) || /call stack|recursion/i.test(String(message));
}

/** How often calls into one instance may trap before nobody goes on in it: each leaves a piece of the stack in use. */
const TRAPS = 8;
/** How many bytes the instances may have that have trapped and are still used: as many as the largest one has. */
const DESERTED = 2 ** 32;

const NONE = { buffer: new ArrayBuffer(0) };

/** Stands for the exports of an instance that nobody may call. To be freed is all the same to what is gone. */
const ABANDONED = /* @__PURE__ */ new Proxy<WebAssembly.Exports>(
  {},
  {
    get: (_, name) => () => {
      if (!String(name).endsWith("_free")) {
        throw unsound();
      }
    },
  },
);

function unsound(): TrapError {
  return new TrapError("the WebAssembly module has trapped for another stream, and nobody can go on in its memory");
}

/** The instances that have trapped, for as long as something is at work in them. */
let deserted: WeakRef<Core>[] = [];

/** Counts an instance that has trapped. The oldest ones are given up where all together have too much memory. */
function leave(core: Core): void {
  let bytes = core.memory.buffer.byteLength;
  deserted = deserted.filter((left) => {
    const other = left.deref();
    bytes += other === core ? 0 : (other?.memory.buffer.byteLength ?? 0);
    if (bytes > DESERTED) {
      other?.abandon();
    }
    return other !== undefined && other !== core && other.memory !== NONE;
  });
  // Some workers have none. Their memory is small, and what is not used is given back in any case.
  if (typeof WeakRef === "function") {
    deserted.unshift(new WeakRef(core));
  }
}

/** Gives up all instances that have trapped: their memory is needed. */
export function abandonDeserted(): void {
  deserted.forEach((left) => left.deref()?.abandon());
}
