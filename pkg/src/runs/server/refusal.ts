// Refusals of the service, on their way from a thread to the client.

import { RequestError } from "../../http/request.js";
import { readBody } from "../../http/request_body.js";
import { runsRefusal } from "../service.js";
import { StoreError } from "../../stores/store_error.js";

/** A refusal of a thread. */
export interface RunsRefusal {
  /** One of the endpoints' error codes. */
  readonly refused: string;
  /** A sentence for people. */
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/**
 * Returns the refusal for an error of a storage (a database, a file system, a platform), which may
 * be temporary; undefined for other errors.
 */
export function storageRefusal(error: unknown): RunsRefusal | undefined {
  const { message, code, durableObjectReset, retryable, overloaded } = Object(error) as {
    readonly [name: string]: unknown;
  };
  const isPlatforms =
    durableObjectReset === true ||
    retryable === true ||
    overloaded === true ||
    /^internal error; reference/.test(String(message));
  const isStores =
    /^(ERR_SQLITE_ERROR|ENOSPC|EDQUOT|EIO|EROFS)$/.test(String(code)) ||
    /\bSQLITE_/.test(String(message));
  return isPlatforms || isStores || error instanceof StoreError
    ? {
        refused: "AGENT_STORAGE_UNAVAILABLE",
        detail: "the storage is not available, or is full",
        retryAfter: 5,
      }
    : undefined;
}

/** Returns the answer to the client. */
export function refuse(
  { refused, detail, retryAfter }: RunsRefusal,
  headers: Record<string, string> = {},
): Response {
  const more = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return runsRefusal(refused, detail).toResponse({
    "cache-control": "no-store",
    ...headers,
    ...more,
  });
}

/** Throws a refusal unless a condition holds. */
export function refuseUnless(condition: unknown, code: string, detail: string): asserts condition {
  if (!condition) {
    throw runsRefusal(code, detail);
  }
}

/**
 * Reads the body of a request, which is JSON or empty; throws a refusal.
 *
 * @param refuseForeign throws a refusal for a request of a page of another origin: the page needs
 * permission to send JSON, but not to send nothing
 */
export async function bodyOf(
  request: Request,
  maxBodyBytes: number,
  bodyTimeoutMs: number,
  refuseForeign: (request: Request) => void,
): Promise<string> {
  try {
    const body = await readBody(request, { maxBodyBytes, bodyTimeoutMs });
    if (body === "") {
      refuseForeign(request);
    }
    return body;
  } catch (error) {
    if (!(error instanceof RequestError) || error.status === 403) {
      throw error;
    }
    const code =
      {
        413: "AGENT_BODY_TOO_LARGE",
        408: "AGENT_BODY_TIMEOUT",
        415: "AGENT_UNSUPPORTED_MEDIA_TYPE",
      }[error.status] ?? "AGENT_RUN_INPUT_INVALID";
    throw runsRefusal(code, error.message);
  }
}

/**
 * The maximum number of bytes of the name of a user as JSON: with it, the keys of every database
 * are short enough.
 */
const USER_BYTES = 2048;

/** Throws a refusal if the name of a user is too long to be stored. */
export function checkUser(user: string): void {
  const isShort =
    user.length * 6 <= USER_BYTES ||
    new TextEncoder().encode(JSON.stringify(user)).length <= USER_BYTES;
  refuseUnless(
    isShort,
    "AGENT_PAYLOAD_INVALID",
    `the name of the user has more than ${USER_BYTES} bytes as JSON`,
  );
}
