// How long a server asks to wait.

/**
 * What `Retry-After` says, in milliseconds; 0 if it is not there or says nothing that makes sense. A date is compared with
 * the server's own clock, where the answer has it: the client's may be wrong.
 */
export function retryAfter(headers: Headers): number {
  const said = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(said)) {
    return Number(said) * 1000;
  }
  const until = Date.parse(said);
  const now = Date.parse(headers.get("date") ?? "");
  const length = until - (Number.isNaN(now) ? Date.now() : now);
  return length > 0 ? length : 0;
}
