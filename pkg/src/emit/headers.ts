// The headers of a response that streams events.

/**
 * The headers of an event stream: its type, and what keeps caches and proxies from holding it back. There is no
 * `connection` header, which HTTP/2 forbids.
 */
export function sseHeaders(): Record<string, string> {
  return {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  };
}
