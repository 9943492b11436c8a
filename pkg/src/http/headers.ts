// The headers of an event stream.

/**
 * Returns the headers of an event stream: the content type, and headers that prevent caches and proxies from buffering.
 * The `connection` header is not set, because HTTP/2 forbids it.
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
