// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// No wasm inside: for content security policies, service workers, and pages that stream it from where they like.

import { bind } from "../../agentwire.js";
import { ALL } from "../../protocols.js";
import { type WasmSource, load } from "../../wasm.js";
import { given } from "../given.js";

export * from "../../runs/server.js";

/**
 * Prepares the module with the wasm of `agentwire/agentwire.wasm`; further calls share the first one's work.
 *
 * @param source the compiled module, its bytes, or the response of a `fetch` (also one still to come)
 */
export function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  return given("agentwire/runs/server/slim", source) ?? load(bind, ALL, () => source);
}
