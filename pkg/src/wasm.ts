// The wasm instances of this package: how they come to be, and the way the other modules reach them.
//
// This module knows no platform. The entries bring the bindings, the wasm and what it reads; all others call `core()` or
// `toolkit()`. A page can have several modules: readers of one protocol, the reader of all, and the whole toolkit, which takes
// the place of the others.

import type * as Toolkit from "./agentwire.js";
import { type Reading, Core, abandonDeserted, interruptible } from "./core.js";
import { AgentwireError, TrapError, isA } from "./errors.js";
import type { Readable } from "./readable.js";
import type { Bytes, WasmModule } from "./platform.js";

/** What `init` can make an instance of. A fetched response is compiled while it arrives. */
export type WasmSource = WasmModule | Bytes | Response;

/** Makes the generated code for one instance. It is also what the wasm imports, and wants to have the instance. */
type Bind = () => Reading & object;

/** A module that was initialised. */
interface Installed {
  readonly bind: Bind;
  readonly reads: readonly Readable[];
  readonly module: WasmModule;
  /** After a trap another one, as soon as one is needed. */
  core: Core;
  /** Goes on where an instance cannot be made at once. */
  renewal: Promise<void> | undefined;
}

/** The whole toolkit alone, or the modules that read. */
let installed: readonly Installed[] = [];
const pending = new Map<Bind, Promise<void>>();

/** The core of a module that reads these protocols; throws if there is none yet. */
export function core(reads: readonly Readable[] = []): Core {
  return present(moduleFor(reads));
}

/** The same for what only the whole toolkit has. */
export function toolkit(): Core<typeof Toolkit> {
  return present(installed.find(isWhole)) as Core<typeof Toolkit>;
}

/** The core of a module that has this of the toolkit. */
export function coreWith<Name extends keyof typeof Toolkit>(name: Name): Core<Reading & Pick<typeof Toolkit, Name>> {
  return present(installed.find(({ core }) => name in core.bindings)) as Core<Reading & Pick<typeof Toolkit, Name>>;
}

/** Whether these protocols can be read: at once in Node and workers, after `init()` in a page. */
export function isReady(reads: readonly Readable[]): boolean {
  const module = moduleFor(reads);
  return module !== undefined && coreOf(module) !== undefined;
}

/** The same for the whole toolkit: a reader may have been initialised alone. */
export function toolkitReady(): boolean {
  return installed.some(isWhole) && isReady([]);
}

/**
 * Prepares the module, once; further calls share the first one's work, and calls after it resolve at once.
 * Node, Deno, Bun and Cloudflare-style workers are ready without it. Code that calls it runs everywhere.
 *
 * @param source the wasm, where the caller has it; by default the package brings it. For a page an address, from which it is
 *   compiled while it arrives, in half the time; where there is no wasm at it, the package's own is taken
 */
export function init(source?: WasmSource | PromiseLike<WasmSource> | string | URL): Promise<void> {
  // Entries that are not ready at import export an `init` of their own, which takes the place of this one.
  void source;
  return installed.length === 0
    ? Promise.reject(new AgentwireError("not-initialized", "import an entry of the package: this module brings no wasm"))
    : Promise.all(installed.map(renewed)).then(() => {});
}

/** The version of the package. */
export function version(): string {
  const present = core();
  return present.said((exchange) => present.bindings.version(exchange));
}

/** For entries that have the wasm at hand when they are imported. */
export function install(bind: Bind, reads: readonly Readable[], source: WasmModule | Bytes): void {
  if (sufficientFor(bind) === undefined) {
    // Not by its class: some edge runtimes give a module of another realm.
    const module = "byteLength" in source ? new WebAssembly.Module(source as BufferSource) : source;
    adopt({ bind, reads, module, core: made(bind, module), renewal: undefined });
  }
}

/** For entries whose wasm has to be waited for. A failed attempt can be repeated. */
export function load(bind: Bind, reads: readonly Readable[], source: () => WasmSource | PromiseLike<WasmSource>): Promise<void> {
  const module = sufficientFor(bind);
  if (module !== undefined) {
    return renewed(module);
  }
  let loading = pending.get(bind);
  if (loading === undefined) {
    loading = instantiate(bind, reads, source).catch(unavailable).finally(() => pending.delete(bind));
    pending.set(bind, loading);
  }
  return loading;
}

function unavailable(cause: unknown): never {
  if (isA(cause, AgentwireError)) {
    throw cause;
  }
  const why = isA(cause, Error) ? cause.message : String(cause);
  const remedy = REMEDIES.find(([words]) => words.test(why))?.[1];
  throw new AgentwireError("wasm-unavailable", `the WebAssembly module could not be loaded: ${remedy === undefined ? why : `${remedy} (${why})`}`, { cause });
}

/** What to do about the exceptions of browsers, whose words do not name it. */
const REMEDIES: readonly (readonly [words: RegExp, remedy: string])[] = [
  [/unsafe-eval|content security policy|\bcsp\b/i, "the content security policy of the page has to allow `'wasm-unsafe-eval'` in `script-src`"],
  [/import\(\) is disallowed/i, "a service worker cannot import it: use the `slim` entry point with `init(fetch(address of the wasm))`"],
];

async function instantiate(bind: Bind, reads: readonly Readable[], source: () => WasmSource | PromiseLike<WasmSource>): Promise<void> {
  const bindings = bind();
  const { instance, module } = await instanceOf(await source(), importsOf(bindings));
  if (sufficientFor(bind) === undefined) {
    adopt({ bind, reads, module, core: new Core(bindings, instance), renewal: undefined });
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
    throw new AgentwireError("wasm-unavailable", `the wasm was not there: ${source.status} ${source.statusText}, ${source.url}`);
  }
  // Of no other type is anything compiled while it arrives, and many servers do not know this one.
  if (source.headers.get("content-type") === "application/wasm") {
    return WebAssembly.instantiateStreaming(source, imports);
  }
  // A statement of its own: Next wraps the call when it develops for the edge, and breaks it with an `await` inside.
  const bytes = await source.arrayBuffer();
  return WebAssembly.instantiate(bytes, imports);
}

/** Under whatever name a module imports it. */
function importsOf(bindings: object): WebAssembly.Imports {
  const imports = new Proxy(bindings, { get: (from, name) => interruptible((from as WebAssembly.ModuleImports)[name as string]) });
  return new Proxy({}, { get: () => imports });
}

function made(bind: Bind, module: WasmModule): Core {
  const bindings = bind();
  return new Core(bindings, new WebAssembly.Instance(module, importsOf(bindings)));
}

/** The core of a module, which has to be there. */
function present(module: Installed | undefined): Core {
  const core = module && coreOf(module);
  if (core === undefined) {
    throw module === undefined
      ? new AgentwireError("not-initialized", "agentwire is not initialized: await init() first")
      : new TrapError("the WebAssembly module is being made anew after a trap: await init() first");
  }
  return core;
}

/** The instance to work with. After a trap it is made anew; undefined where that takes a while. */
function coreOf(present: Installed): Core | undefined {
  if (present.core.isLeft) {
    const { bind, module } = present;
    try {
      present.core = made(bind, module);
    } catch {
      // There is no room for it beside the other one; or it is a page of an older browser, which makes it only in this way.
      abandonDeserted();
      present.renewal ??= (async () => {
        const bindings = bind();
        const { instance } = await instanceOf(module, importsOf(bindings));
        present.core = new Core(bindings, instance);
      })().catch(unavailable).finally(() => (present.renewal = undefined));
      present.renewal.catch(() => {});
      return undefined;
    }
  }
  return present.core;
}

/** Resolves when a module can be worked with: at once, except after a trap where that takes a while. */
function renewed(module: Installed): Promise<void> {
  return coreOf(module) === undefined ? module.renewal! : Promise.resolve();
}

/** The module that reads all of these. */
function moduleFor(reads: readonly Readable[]): Installed | undefined {
  return installed.find((module) => reads.every((one) => module.reads.includes(one)));
}

/** What was installed that can do all that these bindings can. */
function sufficientFor(bind: Bind): Installed | undefined {
  return installed.find((module) => module.bind === bind || isWhole(module));
}

function isWhole({ core }: Installed): boolean {
  return "RawConverter" in core.bindings;
}

function adopt(module: Installed): void {
  installed = isWhole(module) ? [module] : [...installed, module];
}
