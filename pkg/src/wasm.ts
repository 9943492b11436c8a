// The wasm instance of this package: how it comes to be, and the way the other modules reach it.
//
// This module knows no platform. The entries bring the bindings and the wasm; all others call `core()` or `toolkit()`.
// There are two modules to make it of: one that only reads, and the whole toolkit, which takes the other's place.

import type * as Toolkit from "./agentwire.js";
import { Exchange, PIECE } from "./exchange.js";

/** What `init` can make an instance of. A fetched response is compiled while it arrives. */
export type WasmSource = WebAssembly.Module | BufferSource | Response;

/** What both modules have. */
type Reading = Pick<typeof Toolkit, "Exchange" | "RawReader" | "partialJson" | "schema" | "version">;

/** The generated code. It is also what the wasm imports, and wants to have the instance. */
type Loader = Reading & WebAssembly.ModuleImports;

/** What each of the modules exports besides what the generated code calls. */
interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  __wbindgen_start(): void;
}

/** An initialised module. */
export interface Core<Bindings = Reading> {
  /** The functions and classes that are declared in Rust. */
  readonly bindings: Bindings;
  /** Its memory. The `buffer` is a new one whenever that has grown. */
  readonly memory: WebAssembly.Memory;
  /** The part of the memory that chunks and patches pass through. */
  readonly exchange: Exchange;
}

let installed: Core | undefined;
const pending = new Map<Reading, Promise<void>>();

/** The core for a function that needs it; throws if there is none yet. */
export function core(): Core {
  if (installed === undefined) {
    throw new Error("agentwire is not initialised: await init() first");
  }
  return installed;
}

/** The same for what `agentwire/reader` does not have. */
export function toolkit(): Core<typeof Toolkit> {
  if (!toolkitReady()) {
    throw new Error("agentwire is not initialised: await init() first");
  }
  return installed as Core<typeof Toolkit>;
}

/** Whether everything can be called: at once in Node and workers, after `init()` in a page. */
export function ready(): boolean {
  return installed !== undefined;
}

/** The same for the whole toolkit: `agentwire/reader` may have been initialised alone. */
export function toolkitReady(): boolean {
  return installed !== undefined && isToolkit(installed.bindings);
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
    : Promise.resolve();
}

/** The version of the toolkit. */
export function version(): string {
  return core().bindings.version();
}

/** For entries that have the wasm at hand when they are imported. */
export function install(bindings: Loader, module: WebAssembly.Module | BufferSource): void {
  if (!suffices(bindings)) {
    const compiled = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module);
    adopt(bindings, new WebAssembly.Instance(compiled, importsOf(bindings)));
  }
}

/** For entries whose wasm has to be waited for. A failed attempt can be repeated. */
export function load(bindings: Loader, source: () => WasmSource | PromiseLike<WasmSource>): Promise<void> {
  if (suffices(bindings)) {
    return Promise.resolve();
  }
  let loading = pending.get(bindings);
  if (loading === undefined) {
    loading = instantiate(bindings, source).finally(() => pending.delete(bindings));
    pending.set(bindings, loading);
  }
  return loading;
}

async function instantiate(bindings: Loader, source: () => WasmSource | PromiseLike<WasmSource>): Promise<void> {
  const made = await instanceOf(await source(), importsOf(bindings));
  if (!suffices(bindings)) {
    adopt(bindings, "instance" in made ? made.instance : made);
  }
}

async function instanceOf(
  source: WasmSource,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource> {
  if (!(source instanceof Response)) {
    return WebAssembly.instantiate(source as BufferSource, imports);
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
function importsOf(bindings: Loader): WebAssembly.Imports {
  return { "./agentwire_bg.js": bindings, "./reader_bg.js": bindings };
}

/** Whether what is installed can do all that these bindings can. */
function suffices(bindings: Reading): boolean {
  return installed !== undefined && (installed.bindings === bindings || isToolkit(installed.bindings));
}

function adopt(bindings: Loader, instance: WebAssembly.Instance): void {
  const { memory, __wbindgen_start } = instance.exports as Exports;
  (bindings["__wbg_set_wasm"] as (exports: WebAssembly.Exports) => void)(instance.exports);
  __wbindgen_start();
  installed = { bindings, memory, exchange: new Exchange(new bindings.Exchange(PIECE), memory) };
}

function isToolkit(bindings: Reading): boolean {
  return "RawResponseBuilder" in bindings;
}
