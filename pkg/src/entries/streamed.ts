// The wasm from where a page has put it, and where that fails the one that the package brings.

/** Whether what `init` was given is where the wasm is. */
export function isAddress(source: unknown): source is string | URL {
  return typeof source === "string" || source instanceof URL;
}

/**
 * The response at an address, which is compiled while it arrives. What is no wasm there (a server's page for everything it
 * does not know, a proxy's error) does not keep anybody from reading.
 */
export async function streamed(url: string | URL, inlined: () => Promise<Response>): Promise<Response> {
  try {
    const response = await fetch(url);
    if (response.ok && !/^text\//i.test(response.headers.get("content-type") ?? "")) {
      return response;
    }
    void response.body?.cancel().catch(() => {});
  } catch {
    // Not there, or not allowed.
  }
  return inlined();
}
