// Errors of the platform: an object that cannot be reached, or whose storage fails.

import type { Refused } from "./refused.js";

/** What a request is answered whose object or storage fails: it may be repeated. */
export const OUTAGE: Refused = { refused: "AGENT_STORAGE_UNAVAILABLE", detail: "the storage is not available, or is full", retryAfter: 5 };

/** Whether an error is the platform's, and not one of the code. */
export function isOutage(error: unknown): boolean {
  const { message, durableObjectReset, retryable, overloaded } = Object(error) as { readonly [name: string]: unknown };
  return durableObjectReset === true || retryable === true || overloaded === true || /\bSQLITE_|^internal error; reference/.test(String(message));
}
