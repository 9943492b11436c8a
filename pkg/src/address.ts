// Addresses, which may be relative in a page and nowhere else.

import { AgentwireError } from "./errors.js";

/** Returns the whole address of one that may be relative in a page. Throws an `AgentwireError` where nothing completes it. */
export function absolute(url: string | URL): URL {
  try {
    return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (cause) {
    const instead = "outside of pages an address is a whole one, `https://example.com/path`";
    throw new AgentwireError("wrong-argument", `\`${url}\` needs a base URL: ${instead}`, { cause });
  }
}

/** Returns a request. Throws an `AgentwireError` for an address that only a page could complete. */
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
