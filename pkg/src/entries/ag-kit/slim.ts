// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// No wasm inside: for content security policies, service workers, and pages that stream it from where they like.

import { bind } from "../../ag-kit.js";
import { AG_KIT } from "../../ag_kit/protocol.js";
import { type WasmSource, load } from "../../wasm.js";
import { given } from "../given.js";

export * from "../../ag_kit/reading.js";

/**
 * Prepares the module with the wasm of `agentwire/ag-kit.wasm`; further calls share the first one's work.
 *
 * @param source the compiled module, its bytes, or the response of a `fetch` (also one still to come)
 */
export function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  return given("agentwire/ag-kit/slim", source) ?? load(bind, [AG_KIT], () => source);
}
