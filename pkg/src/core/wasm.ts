// The WebAssembly instances of this package: their creation, and the access of the other modules.
//
// This module is platform-independent. The entry points provide the bindings, the WebAssembly and
// the protocols; all other modules call `core()` or `toolkit()`. A page can have several modules:
// readers of one protocol, the reader of all, and the full toolkit, which replaces the others.

import type * as Toolkit from "../agentwire.js";
import { type ReaderBindings, Core, abandonRetired, interruptible } from "./core.js";
import { AgentwireError, TrapError, isA, must } from "./errors.js";
import type { Bytes, WasmModule } from "./platform.js";
import { expectCheapCalls } from "./text.js";

/** The values that `init` accepts. A fetched response is compiled while it arrives. */
export type WasmSource = WasmModule | Bytes | Response;

/**
 * Creates the generated code for one instance. It is also the import object of the WebAssembly, and
 * receives the instance.
 */
export type Bind = () => ReaderBindings & object;

/** An initialized module. */
interface InstalledModule {
  readonly bind: Bind;
  readonly reads: readonly object[];
  readonly module: WasmModule;
  /** The current core, which is replaced on demand after a trap. */
  core: Core;
  /** Pending while an instance is created asynchronously. */
  renewal: Promise<void> | undefined;
}

/** Either the full toolkit alone, or the modules for reading. */
let installed: readonly InstalledModule[] = [];
const pending = new Map<Bind, Promise<void>>();
/** The entry points of a page, whose modules are loaded on demand. */
const loadable: { readonly reads: readonly object[]; readonly init: () => Promise<void> }[] = [];

/** Returns the core of a module that reads these protocols. Throws if it is not initialized. */
export function core(reads: readonly object[] = []): Core {
  const [only, other] = reads as readonly { readonly tables?: { readonly name: string } }[];
  return present(moduleFor(reads), other === undefined ? only?.tables?.name : undefined);
}

/** Returns the core of the full toolkit. Throws if it is not initialized. */
export function toolkit(): Core<typeof Toolkit> {
  return present(installed.find(isWhole)) as Core<typeof Toolkit>;
}

/**
 * Returns the core of a module that has this export of the toolkit. Throws if the entry point is
 * not initialized.
 */
export function coreWith<Name extends keyof typeof Toolkit>(
  name: Name,
  entry: string,
): Core<ReaderBindings & Pick<typeof Toolkit, Name>> {
  return present(
    installed.find(({ core }) => name in core.bindings),
    entry,
  ) as Core<ReaderBindings & Pick<typeof Toolkit, Name>>;
}

/**
 * Returns whether these protocols can be read: immediately in Node and workers, after `init()` in a
 * page.
 */
export function isReady(reads: readonly object[]): boolean {
  const module = moduleFor(reads);
  return module !== undefined && coreOf(module) !== undefined;
}

/** Returns whether the full toolkit is ready: a reader may have been initialized alone. */
export function toolkitReady(): boolean {
  return installed.some(isWhole) && isReady([]);
}

/** Returns the version of the package. */
export function version(): string {
  const present = core();
  return present.textOf((exchange) => present.bindings.version(exchange));
}

/** Adds an entry point whose module can be loaded. */
export function addLoadable(reads: readonly object[], init: () => Promise<void>): void {
  loadable.push({ reads, init });
}

/**
 * Resolves when these protocols can be read. Loads the smallest module that reads them, if the page
 * has not loaded one; rejects with the error of its `init`.
 */
export function loaded(reads: readonly object[]): Promise<void> {
  const module = moduleFor(reads);
  return module === undefined ? (loadableFor(reads)?.init() ?? Promise.resolve()) : renewed(module);
}

/**
 * Installs a module for entry points that have the WebAssembly at import: bytes in Node, Deno and
 * Bun.
 */
export function install(bind: Bind, reads: readonly object[], source: WasmModule | Bytes): void {
  if (installedFor(bind) === undefined) {
    // Does not use `instanceof`: some edge runtimes provide a module of another realm.
    let module = source as WasmModule;
    if ("byteLength" in source) {
      expectCheapCalls();
      module = new WebAssembly.Module(source as BufferSource);
    }
    adopt({ bind, reads, module, core: made(bind, module), renewal: undefined });
  }
}

/** Loads a module for entry points that fetch the WebAssembly. A failed attempt can be repeated. */
export function load(
  bind: Bind,
  reads: readonly object[],
  source: () => WasmSource | PromiseLike<WasmSource>,
): Promise<void> {
  const module = installedFor(bind);
  if (module !== undefined) {
    return renewed(module);
  }
  let loading = pending.get(bind);
  if (loading === undefined) {
    loading = instantiate(bind, reads, source)
      .catch(unavailable)
      .finally(() => pending.delete(bind));
    pending.set(bind, loading);
  }
  return loading;
}

function unavailable(cause: unknown): never {
  if (isA(cause, AgentwireError)) {
    throw cause;
  }
  const reason = isA(cause, Error) ? cause.message : String(cause);
  const remedy = REMEDIES.find(([words]) => words.test(reason))?.[1];
  throw new AgentwireError(
    "wasm-unavailable",
    `the WebAssembly module could not be loaded: ${remedy === undefined ? reason : `${remedy} (${reason})`}`,
    { cause },
  );
}

/** The remedies for browser exceptions whose messages do not name one. */
const REMEDIES: readonly (readonly [words: RegExp, remedy: string])[] = [
  [
    /unsafe-eval|content security policy|\bcsp\b/i,
    "the content security policy of the page has to allow `'wasm-unsafe-eval'` in `script-src`",
  ],
  [
    /import\(\) is disallowed/i,
    "a service worker cannot import it: use the `slim` entry point with `init(fetch(address of the wasm))`",
  ],
];

async function instantiate(
  bind: Bind,
  reads: readonly object[],
  source: () => WasmSource | PromiseLike<WasmSource>,
): Promise<void> {
  const bindings = bind();
  const { instance, module } = await instanceOf(await source(), importsOf(bindings));
  if (installedFor(bind) === undefined) {
    adopt({ bind, reads, module, core: new Core(bindings, instance), renewal: undefined });
  }
}

async function instanceOf(
  source: WasmSource,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  if (!(source instanceof Response)) {
    const made: object = await WebAssembly.instantiate(source as WebAssembly.Module, imports);
    // For a module, the result is only the instance.
    return (
      "instance" in made ? made : { module: source, instance: made }
    ) as WebAssembly.WebAssemblyInstantiatedSource;
  }
  must(
    source.ok,
    "wasm-unavailable",
    `the WebAssembly was not found: ${source.status} ${source.statusText}, ${source.url}`,
  );
  // Only this content type is compiled while it arrives, and many servers do not set it.
  if (source.headers.get("content-type") === "application/wasm") {
    return WebAssembly.instantiateStreaming(source, imports);
  }
  // A separate statement: in development, Next wraps the call for the edge, and breaks it if it
  // contains an `await`.
  const bytes = await source.arrayBuffer();
  return WebAssembly.instantiate(bytes, imports);
}

/** Returns the import object, which accepts any module name. */
function importsOf(bindings: object): WebAssembly.Imports {
  const imports = new Proxy(bindings, {
    get: (from, name) => interruptible((from as WebAssembly.ModuleImports)[name as string]),
  });
  return new Proxy({}, { get: () => imports });
}

function made(bind: Bind, module: WasmModule): Core {
  const bindings = bind();
  return new Core(bindings, new WebAssembly.Instance(module, importsOf(bindings)));
}

/**
 * Returns the core of a module. Throws if it is not initialized. `entry` is the entry point that
 * has the module, if there is only one.
 */
function present(module: InstalledModule | undefined, entry?: string): Core {
  const core = module && coreOf(module);
  if (core === undefined) {
    const [name, whose] =
      entry === undefined ? ["agentwire", ""] : [`agentwire/${entry}`, ` of agentwire/${entry}`];
    throw module === undefined
      ? new AgentwireError(
          "not-initialized",
          `${name} is not initialized: await init()${whose} first`,
        )
      : new TrapError(
          "the WebAssembly module is being created again after a trap: await init() first",
        );
  }
  return core;
}

/**
 * Returns the current instance. After a trap it is created again; undefined while that takes place
 * asynchronously.
 */
function coreOf(present: InstalledModule): Core | undefined {
  if (present.core.isRetired) {
    const { bind, module } = present;
    try {
      present.core = made(bind, module);
    } catch {
      // It does not fit in memory next to the old instance, or an older browser creates instances
      // only asynchronously.
      abandonRetired();
      present.renewal ??= (async () => {
        const bindings = bind();
        const { instance } = await instanceOf(module, importsOf(bindings));
        present.core = new Core(bindings, instance);
      })()
        .catch(unavailable)
        .finally(() => (present.renewal = undefined));
      present.renewal.catch(() => {});
      return undefined;
    }
  }
  return present.core;
}

/**
 * Resolves when a module is ready: immediately, unless its instance is created asynchronously after
 * a trap.
 */
function renewed(module: InstalledModule): Promise<void> {
  return coreOf(module) === undefined ? module.renewal! : Promise.resolve();
}

/** Returns the module that reads all of these protocols. */
function moduleFor(reads: readonly object[]): InstalledModule | undefined {
  return installed.find((module) => reads.every((one) => module.reads.includes(one)));
}

function loadableFor(reads: readonly object[]): (typeof loadable)[number] | undefined {
  return loadable
    .filter((one) => reads.every((each) => one.reads.includes(each)))
    .sort((one, other) => one.reads.length - other.reads.length)[0];
}

/** Returns an installed module that has all the functions of these bindings. */
function installedFor(bind: Bind): InstalledModule | undefined {
  return installed.find((module) => module.bind === bind || isWhole(module));
}

function isWhole({ core }: InstalledModule): boolean {
  return "RawConverter" in core.bindings;
}

function adopt(module: InstalledModule): void {
  installed = isWhole(module) ? [module] : [...installed, module];
}
