// The wasm instance of this package: how it comes to be, and the way the other modules reach it.
//
// This module knows no platform. The entries bring the bindings and the wasm; all others call `core()` or `toolkit()`.
// There are two modules to make it of: one that only reads, and the whole toolkit, which takes the other's place.

import type * as Toolkit from "./agentwire.js";
import { type Reading, Core, abandonDeserted } from "./core.js";
import { AgentwireError, TrapError, isA } from "./errors.js";

/** What `init` can make an instance of. A fetched response is compiled while it arrives. */
export type WasmSource = WebAssembly.Module | BufferSource | Response;

/** Makes the generated code for one instance. It is also what the wasm imports, and wants to have the instance. */
type Bind = () => Reading & WebAssembly.ModuleImports;

/** What was initialised last. */
interface Installed {
  readonly bind: Bind;
  readonly module: WebAssembly.Module;
  /** Whether it is the whole toolkit. */
  readonly isWhole: boolean;
  /** After a trap another one, as soon as one is needed. */
  core: Core;
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
      ? new AgentwireError("not-initialised", "agentwire is not initialised: await init() first")
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
 * @param source the wasm, where the caller has it; by default the package brings it. For a page an address, from which it is
 *   compiled while it arrives, in half the time; where there is no wasm at it, the package's own is taken
 */
export function init(source?: WasmSource | PromiseLike<WasmSource> | string | URL): Promise<void> {
  // Entries that are not ready at import export an `init` of their own, which takes the place of this one.
  void source;
  return installed === undefined
    ? Promise.reject(new AgentwireError("not-initialised", "import from agentwire or agentwire/slim: this module brings no wasm"))
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
    loading = instantiate(bind, source).catch(unavailable).finally(() => pending.delete(bind));
    pending.set(bind, loading);
  }
  return loading;
}

function unavailable(cause: unknown): never {
  if (isA(cause, AgentwireError)) {
    throw cause;
  }
  const why = isA(cause, Error) ? cause.message : String(cause);
  throw new AgentwireError("wasm-unavailable", `the WebAssembly module could not be loaded: ${why}`, { cause });
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
    throw new AgentwireError("wasm-unavailable", `the wasm was not there: ${source.status} ${source.statusText}, ${source.url}`);
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
  if (present?.core.isLeft) {
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
