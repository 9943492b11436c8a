// Loads the wasm from an address of the page. If that fails, uses the wasm of the package.

/** Whether the source passed to `init` is an address. */
export function isAddress(source: unknown): source is string | URL {
  return typeof source === "string" || source instanceof URL;
}

/**
 * Returns the response at an address, so that it is compiled while it arrives. If the response is not wasm (a fallback page of the
 * server, an error of a proxy), returns the inlined wasm.
 */
export async function streamed(url: string | URL, inlined: () => Promise<Response>): Promise<Response> {
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
