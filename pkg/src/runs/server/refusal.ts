// Refusals of the service, on their way from a thread to the client.

import { RequestError } from "../../http/request.js";
import { readBody } from "../../http/request_body.js";
import { runsRefusal } from "../service.js";
import { StoreError } from "./shared_store.js";

/** A refusal of a thread. */
export interface RunsRefusal {
  /** One of the endpoints' error codes. */
  readonly refused: string;
  /** A sentence for people. */
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** Returns the refusal for an error of a storage (a database, a file system, a platform), which may be temporary; undefined for other errors. */
export function storageRefusal(error: unknown): RunsRefusal | undefined {
  const { message, code, durableObjectReset, retryable, overloaded } = Object(error) as { readonly [name: string]: unknown };
  const isPlatforms = durableObjectReset === true || retryable === true || overloaded === true || /^internal error; reference/.test(String(message));
  const isStores = /^(ERR_SQLITE_ERROR|ENOSPC|EDQUOT|EIO|EROFS)$/.test(String(code)) || /\bSQLITE_/.test(String(message));
  return isPlatforms || isStores || error instanceof StoreError ? { refused: "AGENT_STORAGE_UNAVAILABLE", detail: "the storage is not available, or is full", retryAfter: 5 } : undefined;
}

/** Returns the answer to the client. */
export function refuse({ refused, detail, retryAfter }: RunsRefusal, headers: Record<string, string> = {}): Response {
  const more = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return runsRefusal(refused, detail).toResponse({ "cache-control": "no-store", ...headers, ...more });
}

/** Throws a refusal unless a condition holds. */
export function refuseUnless(condition: unknown, code: string, detail: string): asserts condition {
  if (!condition) {
    throw runsRefusal(code, detail);
  }
}

/** Reads the body of a request; throws a refusal. */
export async function bodyOf(request: Request, maxBodyBytes: number, bodyTimeoutMs: number): Promise<string> {
  try {
    // Every content type is accepted: a page of another origin has no token, and cookies identify only pages of the own origin.
    return await readBody(request, { maxBodyBytes, bodyTimeoutMs, contentTypes: ["*"] });
  } catch (error) {
    if (!(error instanceof RequestError)) {
      throw error;
    }
    const code = { 413: "AGENT_BODY_TOO_LARGE", 408: "AGENT_BODY_TIMEOUT" }[error.status] ?? "AGENT_RUN_INPUT_INVALID";
    throw runsRefusal(code, error.message);
  }
}
