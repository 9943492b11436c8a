// Loads the WebAssembly of an entry point: from the package, where it is base64, or from an address
// of the page.

import { AgentwireError, must } from "./errors.js";
import type { WasmSource } from "./wasm.js";

/**
 * Returns the source that was passed to `init`. Without a source, or if the address has no wasm,
 * returns the wasm of the package.
 */
export function inPage(
  source: WasmSource | PromiseLike<WasmSource> | string | URL | undefined,
  packed: () => Promise<{ readonly default: string }>,
): WasmSource | PromiseLike<WasmSource> {
  const own = async (): Promise<Response> => decompress((await packed()).default);
  return isAddress(source) ? streamed(source, own) : (source ?? own());
}

/**
 * Returns a rejected promise if `init` of an entry point without wasm was called without a source;
 * otherwise undefined.
 */
export function given(entry: string, source: unknown): Promise<never> | undefined {
  return source === undefined
    ? Promise.reject(
        new AgentwireError(
          "missing-argument",
          `${entry} carries no wasm: call init(source) with a module, bytes, or a response`,
        ),
      )
    : undefined;
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
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  // `Buffer` of Node, Deno and Bun is ten times as fast.
  const { Buffer } = globalThis as {
    Buffer?: { from(text: string, form: "base64"): Uint8Array<ArrayBuffer> };
  };
  if (Buffer !== undefined) {
    return Buffer.from(base64, "base64");
  }
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
