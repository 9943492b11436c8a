// Where a page has its wasm from.

import type { WasmSource } from "../wasm.js";
import { unpacked } from "./base64.js";
import { isAddress, streamed } from "./streamed.js";

/** What the caller of `init` has given; where that is nothing, or an address without wasm, what the package brings. */
export function inPage(
  source: WasmSource | PromiseLike<WasmSource> | string | URL | undefined,
  packed: () => Promise<{ readonly default: string }>,
): WasmSource | PromiseLike<WasmSource> {
  const own = async (): Promise<Response> => unpacked((await packed()).default);
  return isAddress(source) ? streamed(source, own) : (source ?? own());
}
