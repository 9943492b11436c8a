// The headers of requests and of event streams.

import { AgentwireError } from "../core/errors.js";
import type { HeadersLike } from "../core/platform.js";

/**
 * Returns the headers of an event stream: the content type, and headers that prevent caches and
 * proxies from buffering. The `connection` header is not set, because HTTP/2 forbids it.
 */
export function sseHeaders(): Record<string, string> {
  return {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  };
}

/** Returns the header with a key, if there is one. */
export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/**
 * Sets headers. The error for one that cannot be sent names it without its value, which can be a
 * key.
 *
 * @throws AgentwireError `wrong-option`
 */
export function setHeaders(headers: Headers, addedHeaders: HeadersLike | undefined): Headers {
  const added = new Headers();
  const pairs =
    addedHeaders === undefined
      ? []
      : Symbol.iterator in addedHeaders
        ? addedHeaders
        : Object.entries(addedHeaders);
  for (const [name, value] of pairs as Iterable<[string, string]>) {
    try {
      added.append(name, value);
    } catch {
      throw new AgentwireError(
        "wrong-option",
        `the header \`${String(name).slice(0, 100)}\` cannot be sent: its name or value has a character that no header can have`,
      );
    }
  }
  added.forEach((value, name) => headers.set(name, value));
  return headers;
}
