// The time that a server asks to wait.

/**
 * Returns the time of `Retry-After` in milliseconds; undefined without a valid one. A date is compared with the `date`
 * header of the response if it has one, because the clock of the client may be wrong.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) {
    return Number(value) * 1000;
  }
  const until = Date.parse(value);
  if (Number.isNaN(until)) {
    return undefined;
  }
  const now = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
