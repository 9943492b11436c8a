// One instance of a WebAssembly module, and the handling of traps.
//
// This module does not create instances.

import type * as Toolkit from "../agentwire.js";
import type { Exchange as RawExchange, RawReader } from "../agentwire.js";
import type { ErrorCode } from "./error_codes.js";
import { AgentwireError, TrapError, isA, tooLarge } from "./errors.js";
import { SharedMemory } from "./shared_memory.js";
import type { Memory } from "./platform.js";

/** The bindings that all modules contain. */
export type ReaderBindings = Pick<
  typeof Toolkit,
  "Exchange" | "RawEventReader" | "RawReader" | "version"
>;

/** The functions of the bindings for the code that creates the instance. */
interface Loader {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
  __wbg_forget(): void;
}

/** An object of the bindings. */
export interface Freeable {
  free(): void;
}

/** The parameter and result types of a function. */
export type Arguments<F> = F extends (...args: infer A) => unknown ? A : never;
export type Result<F> = F extends (...args: never) => infer R ? R : never;

/** The exports of each module that generated code does not use. */
interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  __wbindgen_start(): void;
}

/** One instance of a module with its bindings and memory. */
export class Core<Bindings extends ReaderBindings = ReaderBindings> {
  /** The functions and classes that Rust declares. Use `call` and `run`, which handle traps. */
  readonly bindings: Bindings;
  /** The memory of the instance. Its `buffer` is replaced when the memory grows. */
  memory: Memory;
  /** The part of the memory that passes chunks and patches. */
  readonly exchange: SharedMemory;
  /** Whether a call has trapped. New streams then use another instance. */
  isRetired = false;
  /** An object of each class for reading, see `keepReader`. */
  warmReader: unknown;
  /** A reader whose stream has ended, for reuse. */
  #spare: RawReader | undefined;

  constructor(bindings: Bindings, instance: { readonly exports: object }) {
    const { memory, __wbindgen_start } = instance.exports as Exports;
    this.bindings = bindings;
    this.memory = memory;
    this.#uses(instance.exports as Exports);
    __wbindgen_start();
    this.exchange = new SharedMemory(this);
  }

  /** Calls a function of the bindings. */
  call<F extends keyof Bindings>(name: F, ...args: Arguments<Bindings[F]>): Result<Bindings[F]> {
    return this.run(() =>
      (this.bindings[name] as (...args: unknown[]) => Result<Bindings[F]>)(...args),
    );
  }

  /** Runs a call into the instance and returns its text result. */
  textOf(call: (exchange: RawExchange) => void): string {
    const { exchange } = this;
    return this.run(() => {
      call(exchange.raw);
      return exchange.resultText;
    });
  }

  /**
   * Runs a call into the instance, and nothing else: all errors count as errors of the instance.
   */
  run<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw this.thrown(error);
    }
  }

  /**
   * Starts a stream in a reader, and writes its first patch. Reuses a reader whose stream has
   * ended, because registering a new one with the garbage collector (`FinalizationRegistry`) takes
   * about a microsecond.
   */
  read(protocol: number, settings: string, seed: bigint): RawReader {
    const { raw } = this.exchange;
    const spare = this.#spare;
    this.#spare = undefined;
    spare?.restart(protocol, settings, seed, raw);
    return spare ?? new this.bindings.RawReader(protocol, settings, seed, raw);
  }

  /** Keeps a reader for reuse whose stream has ended and whose memory was released. */
  ended(reader: RawReader): void {
    if (this.#spare === undefined) {
      this.#spare = reader;
    } else {
      this.free(reader);
    }
  }

  /** Frees an object of the bindings. Never throws. */
  free(object: Freeable): void {
    try {
      object.free();
    } catch (error) {
      this.thrown(error);
    }
  }

  /**
   * Returns the error to throw for an error of a call into the instance. An error of the core keeps
   * its code. An exception outside of the module's own frames fails only that call and leaves the
   * instance intact. A trap retires the instance: its object fails, and new objects use another
   * instance.
   *
   * The other objects in a retired instance can continue if the trap was the instruction with which
   * Rust aborts: memory ran out, or an error was detected before it did damage. The trapped call
   * used only its own object, which is not used again, and the exchange, which is replaced; the
   * allocator is in a consistent state. After any other trap the memory may be corrupt. Then, after
   * a second trap, and when another instance is retired, the instance is abandoned: all its objects
   * fail. So at most one retired instance takes up memory.
   */
  thrown(error: unknown): AgentwireError {
    const { name, message, code } = Object(error) as {
      name?: string;
      message: string;
      code: string;
    };
    if (error instanceof AgentwireError) {
      return error;
    }
    if (name === "AgentwireError") {
      return new AgentwireError(code as ErrorCode, message, { cause: error });
    }
    if (this.memory !== NO_MEMORY && !isTrap(error)) {
      return tooLarge(error);
    }
    // This comes first and without a call, because the stack may have overflowed.
    const isFirst = !this.isRetired;
    this.isRetired = true;
    if (this.memory === NO_MEMORY) {
      return trapError();
    }
    try {
      if (isFirst && name === "RuntimeError" && /unreachable/i.test(message)) {
        this.exchange.renew();
        retire(this);
      } else {
        this.abandon();
      }
    } catch {
      this.abandon();
    }
    // Until its stack is read, an error keeps the functions in it alive, and thereby the instance.
    void (error as Error).stack;
    return new TrapError(`the WebAssembly module has trapped: ${message}`, error);
  }

  /**
   * Keeps an unused reader alive: V8 discards the compiled code of a class when a garbage
   * collection finds no object of it, so a page that reads a stream per minute would compile it
   * each time. `benches/js/engine.mjs` measures it.
   */
  keepReader(fresh: () => object): void {
    if (this.warmReader === undefined) {
      this.warmReader = null;
      try {
        this.warmReader = fresh();
      } catch {
        // There is not enough memory for it, so another core will be needed soon.
      }
    }
  }

  /** Releases the memory. Further calls throw an error that names the cause. */
  abandon(): void {
    this.memory = NO_MEMORY;
    this.#uses(ABANDONED);
    (this.bindings as unknown as Loader).__wbg_forget();
    this.exchange.view();
  }

  #uses(exports: WebAssembly.Exports): void {
    (this.bindings as unknown as Loader).__wbg_set_wasm(exports);
  }
}

/** The errors that an import has thrown, which interrupted the module in the middle of a call. */
const interrupting = new WeakSet<object>();

/** Wraps an import of the module so that the errors it throws are recorded. */
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

/**
 * Returns whether the module was interrupted inside a call: by an instruction, by an import, or by
 * a stack overflow.
 */
function isTrap(error: unknown): boolean {
  const { name, message } = Object(error) as { name?: unknown; message?: unknown };
  return (
    name === "RuntimeError" ||
    !isA(error, Error) ||
    interrupting.has(error) ||
    /call stack|recursion/i.test(String(message))
  );
}

const NO_MEMORY = { buffer: new ArrayBuffer(0) };

/** Replaces the exports of an abandoned instance. Freeing an object of it does nothing. */
const ABANDONED = /* @__PURE__ */ new Proxy<WebAssembly.Exports>(
  {},
  {
    get: (_, name) => () => {
      if (!String(name).endsWith("_free")) {
        throw trapError();
      }
    },
  },
);

function trapError(): TrapError {
  return new TrapError(
    "the WebAssembly module has trapped for another stream, and its memory cannot be used any more",
  );
}

/** The last retired instance. Some workers have no `WeakRef`; their instances are small. */
let retired: WeakRef<Core> | undefined;

function retire(core: Core): void {
  abandonRetired();
  retired = typeof WeakRef === "function" ? new WeakRef(core) : undefined;
}

/** Abandons the retired instance, to release its memory. */
export function abandonRetired(): void {
  retired?.deref()?.abandon();
}
