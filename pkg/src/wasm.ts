// The wasm instance of this package: how it comes to be, and the way the other modules reach it.
//
// This module knows no platform. The entries bring the bindings and the wasm; all others call `core()` or `toolkit()`.
// There are two modules to make it of: one that only reads, and the whole toolkit, which takes the other's place.

import type * as Toolkit from "./agentwire.js";
import { AgentwireError, TrapError } from "./errors.js";
import { Exchange } from "./exchange.js";

/** What `init` can make an instance of. A fetched response is compiled while it arrives. */
export type WasmSource = WebAssembly.Module | BufferSource | Response;

/** What both modules have. */
type Reading = Pick<typeof Toolkit, "Exchange" | "RawReader" | "partialJson" | "schema" | "version">;

/** Makes the generated code for one instance. It is also what the wasm imports, and wants to have the instance. */
type Bind = () => Reading & WebAssembly.ModuleImports;

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
  memory: Pick<WebAssembly.Memory, "buffer">;
  /** The part of the memory that chunks and patches pass through. */
  readonly exchange: Exchange;
  #traps = 0;

  constructor(bindings: Bindings, instance: WebAssembly.Instance) {
    const { memory, __wbindgen_start } = instance.exports as Exports;
    this.bindings = bindings;
    this.memory = memory;
    this.#uses(instance.exports);
    __wbindgen_start();
    this.exchange = new Exchange(this);
  }

  /** Calls a function of the bindings. */
  call<F extends keyof Bindings>(name: F, ...args: Arguments<Bindings[F]>): Result<Bindings[F]> {
    return this.run(() => (this.bindings[name] as (...args: unknown[]) => Result<Bindings[F]>)(...args));
  }

  /** Does a call into the instance, and nothing else: whatever it throws counts as the instance's. */
  run<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw this.thrown(error);
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
   * What is to be thrown for what a call into the instance has thrown. If that is no refusal, the call has trapped, and what
   * begins from now on begins in another instance.
   *
   * What is at work in this one may go on, if what trapped is the instruction that Rust puts where it ends a program: there
   * is no memory, or a mistake was noticed before it did harm. A call works on its own object, which is not used again, and
   * on the exchange, which is replaced; the allocator is not left in between. After any other trap the memory may hold
   * anything, and nobody goes on.
   */
  thrown(error: unknown): AgentwireError {
    const { name, message, code } = error as { name?: string; message: string; code: string };
    if (error instanceof AgentwireError) {
      return error;
    }
    if (name === "AgentwireError") {
      return new AgentwireError(code, message, { cause: error });
    }
    // First, and without a call: it may be the stack that was used up.
    if (installed?.core === this) {
      installed.core = undefined;
    }
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

/** Nothing begins in that instance any more. The oldest ones of its kind are given up where they have too much memory. */
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

/** What was initialised last. */
interface Installed {
  readonly bind: Bind;
  readonly module: WebAssembly.Module;
  /** Whether it is the whole toolkit. */
  readonly isWhole: boolean;
  /** Undefined after a trap, until it is needed again. */
  core: Core | undefined;
  /** Goes on where an instance cannot be made at once. */
  renewal: Promise<void> | undefined;
}

let installed: Installed | undefined;
const pending = new Map<Bind, Promise<void>>();

/** The core for a function that needs it; throws if there is none yet. */
export function core(suffices = true): Core {
  const present = suffices ? presentCore() : undefined;
  if (present === undefined) {
    throw installed === undefined || !suffices
      ? new Error("agentwire is not initialised: await init() first")
      : new TrapError("the WebAssembly module is being made anew after a trap: await init() first");
  }
  return present;
}

/** The same for what `agentwire/reader` does not have. */
export function toolkit(): Core<typeof Toolkit> {
  return core(installed?.isWhole) as Core<typeof Toolkit>;
}

/** Whether everything can be called: at once in Node and workers, after `init()` in a page. */
export function ready(): boolean {
  return presentCore() !== undefined;
}

/** The same for the whole toolkit: `agentwire/reader` may have been initialised alone. */
export function toolkitReady(): boolean {
  return installed?.isWhole === true && ready();
}

/**
 * Prepares the toolkit, once; further calls share the first one's work, and calls after it resolve at once.
 * Node, Deno, Bun and Cloudflare-style workers are ready without it. Code that calls it runs everywhere.
 *
 * @param source the wasm, where the caller has it; by default the package brings it
 */
export function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  // Entries that are not ready at import export an `init` of their own, which takes the place of this one.
  void source;
  return installed === undefined
    ? Promise.reject(new Error("import from agentwire or agentwire/slim: this module brings no wasm"))
    : renewed();
}

/** The version of the toolkit. */
export function version(): string {
  return core().call("version");
}

/** For entries that have the wasm at hand when they are imported. */
export function install(bind: Bind, module: WebAssembly.Module | BufferSource): void {
  if (!suffices(bind)) {
    const compiled = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module);
    adopt(bind, compiled, made(bind, compiled));
  }
}

/** For entries whose wasm has to be waited for. A failed attempt can be repeated. */
export function load(bind: Bind, source: () => WasmSource | PromiseLike<WasmSource>): Promise<void> {
  if (suffices(bind)) {
    return renewed();
  }
  let loading = pending.get(bind);
  if (loading === undefined) {
    loading = instantiate(bind, source).finally(() => pending.delete(bind));
    pending.set(bind, loading);
  }
  return loading;
}

async function instantiate(bind: Bind, source: () => WasmSource | PromiseLike<WasmSource>): Promise<void> {
  const bindings = bind();
  const { instance, module } = await instanceOf(await source(), importsOf(bindings));
  if (!suffices(bind)) {
    adopt(bind, module, new Core(bindings, instance));
  }
}

async function instanceOf(
  source: WasmSource,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  if (!(source instanceof Response)) {
    const made: object = await WebAssembly.instantiate(source as WebAssembly.Module, imports);
    // Of a module there is only the instance.
    return ("instance" in made ? made : { module: source, instance: made }) as WebAssembly.WebAssemblyInstantiatedSource;
  }
  if (!source.ok) {
    throw new Error(`the wasm was not there: ${source.status} ${source.statusText}, ${source.url}`);
  }
  // Of no other type is anything compiled while it arrives, and many servers do not know this one.
  return source.headers.get("content-type") === "application/wasm"
    ? WebAssembly.instantiateStreaming(source, imports)
    : WebAssembly.instantiate(await source.arrayBuffer(), imports);
}

/** By the names under which the two modules import it. */
function importsOf(bindings: WebAssembly.ModuleImports): WebAssembly.Imports {
  return { "./agentwire_bg.js": bindings, "./reader_bg.js": bindings };
}

function made(bind: Bind, module: WebAssembly.Module): Core {
  const bindings = bind();
  return new Core(bindings, new WebAssembly.Instance(module, importsOf(bindings)));
}

/** The instance to work with. After a trap it is made anew; undefined where that takes a while, or nothing is installed. */
function presentCore(): Core | undefined {
  const present = installed;
  if (present !== undefined && present.core === undefined) {
    const { bind, module } = present;
    try {
      present.core = made(bind, module);
    } catch {
      // There is no room for it beside the other one; or it is a page of an older browser, which makes it only in this way.
      deserted.forEach((left) => left.deref()?.abandon());
      present.renewal ??= (async () => {
        const bindings = bind();
        const { instance } = await instanceOf(module, importsOf(bindings));
        present.core ??= new Core(bindings, instance);
      })().finally(() => (present.renewal = undefined));
      present.renewal.catch(() => {});
    }
  }
  return present?.core;
}

/** Resolves when what is installed can be worked with: at once, except after a trap where that takes a while. */
function renewed(): Promise<void> {
  return presentCore() === undefined ? installed!.renewal! : Promise.resolve();
}

/** Whether what is installed can do all that these bindings can. */
function suffices(bind: Bind): boolean {
  return installed?.bind === bind || installed?.isWhole === true;
}

function adopt(bind: Bind, module: WebAssembly.Module, core: Core): void {
  installed = { bind, module, isWhole: "RawResponseBuilder" in core.bindings, core, renewal: undefined };
}
