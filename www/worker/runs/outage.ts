// Errors of the platform: an object that cannot be reached, or whose storage fails.

import type { Refused } from "./refused.js";

/** The refusal of a request whose object or storage fails: the client may repeat it. */
export const OUTAGE: Refused = { refused: "AGENT_STORAGE_UNAVAILABLE", detail: "the storage is not available, or is full", retryAfter: 5 };

/** Returns whether an error is an error of the platform, and not of this code. */
export function isOutage(error: unknown): boolean {
  const { message, durableObjectReset, retryable, overloaded } = Object(error) as { readonly [name: string]: unknown };
  return durableObjectReset === true || retryable === true || overloaded === true || /\bSQLITE_|^internal error; reference/.test(String(message));
}
