// URLs, which may be relative only in a page.

import { AgentwireError } from "../core/errors.js";

/**
 * Returns the absolute URL of one that may be relative in a page. Throws an `AgentwireError` if it has no base URL.
 */
export function absolute(url: string | URL): URL {
  try {
    return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (cause) {
    const instead = "outside of pages a URL must be absolute, `https://example.com/path`";
    throw new AgentwireError("wrong-argument", `\`${url}\` needs a base URL: ${instead}`, { cause });
  }
}

/** Creates a request. Throws an `AgentwireError` for a relative URL outside of a page. */
export function requestTo(url: RequestInfo | URL, init?: RequestInit): Request {
  try {
    return new Request(url, init);
  } catch (error) {
    if (typeof url === "string" || url instanceof URL) {
      absolute(url);
    }
    throw error;
  }
}
