// Selects the wasm of a page.

import type { WasmSource } from "../wasm.js";
import { unpacked } from "./base64.js";
import { isAddress, streamed } from "./streamed.js";

/** Returns the source that was passed to `init`. Without a source, or if the address has no wasm, returns the wasm of the package. */
export function inPage(
  source: WasmSource | PromiseLike<WasmSource> | string | URL | undefined,
  packed: () => Promise<{ readonly default: string }>,
): WasmSource | PromiseLike<WasmSource> {
  const own = async (): Promise<Response> => unpacked((await packed()).default);
  return isAddress(source) ? streamed(source, own) : (source ?? own());
}
