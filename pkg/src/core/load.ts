// Loading the WebAssembly of an entry point, the only place that does so on every platform. The
// platforms differ in what `#wasm/…` provides, which the conditions of package.json select.

import { must } from "./errors.js";
import type { Bytes, WasmModule } from "./platform.js";
import { type Bind, type WasmSource, addLoadable, install, load } from "./wasm.js";

/** The compressed module in base64, as a JavaScript module of its own. */
type Packed = () => Promise<{ readonly default: string }>;

/**
 * The WebAssembly that a platform provides at import: bytes (Node, Deno, Bun), a compiled module
 * (edge workers, which compile only at deployment), a function that imports it (pages), or nothing
 * (`slim` entry points).
 */
export type PackagedWasm = Bytes | WasmModule | Packed | undefined;

/** The values that `init` accepts. */
export type InitSource = WasmSource | PromiseLike<WasmSource> | string | URL;

/**
 * Returns `init` of an entry point. With bytes or a compiled module, the entry point is ready at
 * import; that of a page is loaded by `init` or by the first request of a chat.
 */
export function initOf(
  bind: Bind,
  reads: readonly object[],
  wasm: PackagedWasm,
): (source?: InitSource) => Promise<void> {
  if (typeof wasm === "object") {
    install(bind, reads, wasm);
  }
  const init = (source?: InitSource): Promise<void> =>
    load(bind, reads, () => sourceOf(source, wasm as Packed | undefined));
  if (typeof wasm === "function") {
    addLoadable(reads, init);
  }
  return init;
}

/**
 * Returns the source that was passed to `init`. Without a source, or if the address has no wasm,
 * returns the wasm of the package.
 */
function sourceOf(
  source: InitSource | undefined,
  packed: Packed | undefined,
): WasmSource | PromiseLike<WasmSource> {
  const own = async (): Promise<Response> => {
    must(
      packed !== undefined,
      "missing-argument",
      "a `slim` entry point has no wasm: call init(source)",
    );
    return decompress((await packed()).default);
  };
  return isAddress(source) ? streamed(source, own) : (source ?? own());
}

/** Whether the source passed to `init` is an address. */
export function isAddress(source: unknown): source is string | URL {
  return typeof source === "string" || source instanceof URL;
}

/**
 * Returns the response at an address, so that it is compiled while it arrives. If the response is
 * not wasm (a fallback page of the server, an error of a proxy), returns the inlined wasm.
 */
export async function streamed(
  url: string | URL,
  inlined: () => Promise<Response>,
): Promise<Response> {
  try {
    const response = await fetch(url);
    if (response.ok && !/^text\//i.test(response.headers.get("content-type") ?? "")) {
      return response;
    }
    void response.body?.cancel().catch(() => {});
  } catch {
    // The address is unreachable or blocked.
  }
  return inlined();
}

/** Returns the bytes of a base64 text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
}

/**
 * Returns the compressed wasm in a base64 text as a response of type `application/wasm`, so that it
 * is compiled while it is decompressed. Rejects in browsers without decompression streams (Safari
 * before 16.4, Firefox before 113).
 */
export async function decompress(base64: string): Promise<Response> {
  must(
    typeof DecompressionStream !== "undefined",
    "wasm-unavailable",
    "this browser has no DecompressionStream: bring the wasm yourself, with agentwire/slim",
  );
  const packed = new Blob([bytesOf(base64)]).stream();
  const headers = { "content-type": "application/wasm" };
  return new Response(packed.pipeThrough(new DecompressionStream("gzip")), { headers });
}
