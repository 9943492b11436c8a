// No wasm inside: for content security policies, service workers, and pages that stream it from where they
// like.

import { bind } from "../agentwire.js";
import { AgentwireError } from "../errors.js";
import { type WasmSource, load } from "../wasm.js";

export * from "../index.js";

/**
 * Prepares the toolkit with the wasm of `agentwire/agentwire.wasm`; further calls share the first one's
 * work.
 *
 * @param source the compiled module, its bytes, or the response of a `fetch` (also one still to come)
 */
export function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  if (source === undefined) {
    return Promise.reject(
      new AgentwireError("missing-argument", "agentwire/slim carries no wasm: call init(source) with a module, bytes, or a response"),
    );
  }
  return load(bind, () => source);
}
