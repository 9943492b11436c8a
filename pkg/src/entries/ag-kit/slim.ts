// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Without wasm: for content security policies, service workers, and pages that stream the wasm from their own address.

import { bind } from "../../ag-kit.js";
import { AG_KIT } from "../../ag_kit/protocol.js";
import { type WasmSource, load } from "../../wasm.js";
import { given } from "../given.js";

export * from "../../ag_kit/reading.js";

/**
 * Prepares the module with the wasm of `agentwire/ag-kit.wasm`. Further calls return the result of the first one.
 *
 * @param source the compiled module, its bytes, or the response of a `fetch` (or a promise of one of these)
 */
export function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  return given("agentwire/ag-kit/slim", source) ?? load(bind, [AG_KIT], () => source);
}
