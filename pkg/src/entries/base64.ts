// Decodes base64. Not all supported browsers have `Uint8Array.fromBase64`.

import { AgentwireError } from "../errors.js";

/** Returns the bytes of a base64 text. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  // `Buffer` of Node, Deno and Bun is ten times as fast.
  const { Buffer } = globalThis as { Buffer?: { from(text: string, form: "base64"): Uint8Array<ArrayBuffer> } };
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
 * Returns the compressed wasm in a base64 text as a response of type `application/wasm`, so that it is compiled while it is decompressed.
 * Rejects in browsers without decompression streams (Safari before 16.4, Firefox before 113).
 */
export async function unpacked(base64: string): Promise<Response> {
  if (typeof DecompressionStream === "undefined") {
    throw new AgentwireError("wasm-unavailable", "this browser has no DecompressionStream: bring the wasm yourself, with agentwire/slim");
  }
  const packed = new Blob([bytesOf(base64)]).stream();
  const headers = { "content-type": "application/wasm" };
  return new Response(packed.pipeThrough(new DecompressionStream("gzip")), { headers });
}
