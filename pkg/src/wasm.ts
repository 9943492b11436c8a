// The one wasm instance of this package: how it comes to be, and the way the other modules reach it.
//
// This module knows no platform. The entries bring the bindings and the wasm; all others call `core()`.

import type * as Bindings from "./agentwire.js";

/** What `init` can make an instance of. A fetched response is compiled while it arrives. */
export type WasmSource = WebAssembly.Module | BufferSource | Response;

/** The initialised toolkit. */
export interface Core {
  /** The functions and classes that are declared in Rust. */
  readonly bindings: typeof Bindings;
  /**
   * The linear memory. Its `buffer` is a new one whenever the memory has grown, so read it again
   * after each call into `bindings`.
   */
  readonly memory: WebAssembly.Memory;
}

let installed: Core | undefined;
let pending: Promise<void> | undefined;

/** The core for a function that needs it; throws if there is none yet. */
export function core(): Core {
  if (installed === undefined) {
    throw new Error("agentwire is not initialised: await init() first");
  }
  return installed;
}

/** Whether everything can be called: at once in Node and workers, after `init()` in a page. */
export function ready(): boolean {
  return installed !== undefined;
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
export function install(bindings: typeof Bindings, module: WebAssembly.Module | BufferSource): void {
  if (installed === undefined) {
    const { memory } = bindings.initSync({ module });
    installed = { bindings, memory };
  }
}

/** For entries whose wasm has to be waited for. A failed attempt can be repeated. */
export function load(
  bindings: typeof Bindings,
  source: () => WasmSource | PromiseLike<WasmSource>,
): Promise<void> {
  if (installed !== undefined) {
    return Promise.resolve();
  }
  pending ??= instantiate(bindings, source).finally(() => (pending = undefined));
  return pending;
}

async function instantiate(
  bindings: typeof Bindings,
  source: () => WasmSource | PromiseLike<WasmSource>,
): Promise<void> {
  // The generated declaration takes a `Response` too, but means the protocol's by that name.
  const module_or_path = (await source()) as WebAssembly.Module;
  const { memory } = await bindings.default({ module_or_path });
  installed = { bindings, memory };
}
