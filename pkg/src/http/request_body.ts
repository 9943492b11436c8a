// Reading the body of a request on a server.

import { must } from "../core/errors.js";
import { milliseconds } from "../core/arguments.js";
import { within } from "../core/timers.js";
import { RequestError } from "./request.js";

/** The limits on the body of a request, and its content types. */
export interface BodyOptions {
  /**
   * The content types that a body may have in addition to JSON (`application/json`,
   * `application/*+json`), such as `text/plain`; `*` for all. None by default: pages of other
   * origins can send forms and plain text without a preflight request, and JSON only if CORS allows
   * it.
   */
  readonly contentTypes?: readonly string[] | undefined;
  /** The maximum number of bytes of a body: 4,194,304 (4 MiB) by default. */
  readonly maxBodyBytes?: number | undefined;
  /** The milliseconds that a body may take to arrive: 30,000 by default, 0 for no limit. */
  readonly bodyTimeoutMs?: number | undefined;
}

/** The maximum number of bytes of a body, by default. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The names of {@link BodyOptions}. */
export const BODY_OPTIONS: readonly string[] = ["contentTypes", "maxBodyBytes", "bodyTimeoutMs"];

/**
 * Reads the body of a request as text. Unlike `request.text()`, it limits the size and the time.
 *
 * ```js
 * try {
 *   input = parseRequest("ag-ui", await readBody(request));
 * } catch (error) {
 *   return error.toResponse();
 * }
 * ```
 *
 * A body that is too long is rejected after up to 32 MiB more were read and dropped, because many
 * clients do not read the response while they send; the rest is canceled.
 *
 * @throws RequestError with a response of status 415 if the body is not sent as JSON (see
 * `contentTypes`), 413 if more than `maxBodyBytes` arrive or were announced, 408 after
 * `bodyTimeoutMs`, and 400 if the body is incomplete or `request.signal` aborts; AgentwireError
 * `wrong-option`, or `body-used` if the body was read before
 */
export async function readBody(request: Request, options: BodyOptions = {}): Promise<string> {
  const { maxBodyBytes, bodyTimeout, contentTypes } = bodyOptions(options);
  must(
    !request.bodyUsed && !request.body?.locked,
    "body-used",
    "the body of this request has been read already, or is being read",
  );
  if (request.body === null) {
    return "";
  }
  const reader = request.body.getReader();
  /** The error of a body whose rest is being dropped. */
  let overflow: RequestError | undefined;
  const late = (): never => {
    throw (
      overflow ??
      refusal(408, "body_timeout", `The body should arrive within ${bodyTimeout} milliseconds`)
    );
  };
  const { signal } = request;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal?.aborted) {
      stop();
    } else {
      signal?.addEventListener("abort", stop);
    }
  });
  const announced = Number(request.headers.get("content-length") ?? 0);
  const type = request.headers.get("content-type");
  const isTaken =
    isJson(type) || contentTypes.some((taken) => taken === "*" || taken === essenceOf(type));
  // An empty body has no content type.
  const most = isTaken ? maxBodyBytes : 0;
  const rejection = (): RequestError =>
    (overflow = isTaken
      ? refusal(413, "body_too_long", `The body should have at most ${maxBodyBytes} bytes`)
      : refusal(
          415,
          "content_type",
          `The body should be JSON, sent with \`content-type: application/json\`, not ${type === null ? "without a type" : `\`${type.slice(0, 100)}\``}`,
        ));
  try {
    const body = Promise.race([received(reader, announced, most, rejection), aborted]);
    return await (bodyTimeout > 0 ? within(body, bodyTimeout, late) : body);
  } catch (error) {
    // The result is not awaited: a client may keep the connection open.
    reader.cancel(error).catch(() => {});
    throw error instanceof RequestError
      ? error
      : refusal(400, "body_incomplete", "The body is incomplete", error);
  } finally {
    signal?.removeEventListener("abort", stop!);
  }
}

/**
 * Returns the options with their defaults.
 *
 * @throws AgentwireError `wrong-option`
 */
export function bodyOptions({
  maxBodyBytes = MAX_BODY_BYTES,
  bodyTimeoutMs: bodyTimeout = 30_000,
  contentTypes = [],
}: BodyOptions): Bounds {
  must(
    typeof maxBodyBytes === "number" && maxBodyBytes >= 0,
    "wrong-option",
    "option `maxBodyBytes` is a number of bytes",
  );
  must(
    Array.isArray(contentTypes) && contentTypes.every((type) => typeof type === "string"),
    "wrong-option",
    "option `contentTypes` is a list of content types",
  );
  return {
    maxBodyBytes,
    bodyTimeout: milliseconds("bodyTimeoutMs", bodyTimeout),
    contentTypes: contentTypes.map(essenceOf),
  };
}

function isJson(type: string | null): boolean {
  return /^application\/([\w.+-]+\+)?json$/.test(essenceOf(type));
}

/** Returns a content type without its parameters. */
function essenceOf(type: string | null): string {
  return (type ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

interface Bounds {
  readonly maxBodyBytes: number;
  readonly bodyTimeout: number;
  readonly contentTypes: readonly string[];
}

async function received(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  announced: number,
  most: number,
  rejection: () => RequestError,
): Promise<string> {
  if (announced > most) {
    const refusal = rejection();
    if (announced <= most + DROPPED) {
      await drop(reader, announced);
    }
    throw refusal;
  }
  // One growing buffer, because a client may send its bytes one by one.
  let bytes = new Uint8Array(1024);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return new TextDecoder().decode(bytes.subarray(0, length));
    }
    must(ArrayBuffer.isView(value), "wrong-chunk", "a chunk of the body is not a Uint8Array");
    if (length + value.length > most) {
      const refusal = rejection();
      await drop(reader, most + DROPPED - length - value.length);
      throw refusal;
    }
    if (length + value.length > bytes.length) {
      const more = new Uint8Array(Math.max(2 * bytes.length, length + value.length));
      more.set(bytes.subarray(0, length));
      bytes = more;
    }
    bytes.set(value, length);
    length += value.length;
  }
}

/** The number of bytes beyond the limit that are read and dropped before the error. */
const DROPPED = 32 * 1024 * 1024;

/**
 * The milliseconds that a client may pause while its bytes are dropped: a client that waits for the
 * response sends no more.
 */
const PAUSE = 500;

/** Drops the rest of a body, until `most` bytes have arrived or the client pauses. */
async function drop(reader: ReadableStreamDefaultReader<Uint8Array>, most: number): Promise<void> {
  for (let left = most; left >= 0; ) {
    const next = await within(reader.read(), PAUSE, () => undefined);
    if (next === undefined || next.done) {
      return;
    }
    left -= next.value.length;
  }
}

function refusal(status: number, code: string, expected: string, cause?: unknown): RequestError {
  const detail = [{ type: code, loc: ["body"], msg: expected, input: null }];
  const problems = [{ path: "body", code, expected, actual: null }];
  const body = JSON.stringify({ detail });
  const message = expected;
  const error = new RequestError({
    status,
    contentType: "application/json",
    body,
    message,
    problems,
  });
  if (cause !== undefined) {
    error.cause = cause;
  }
  return error;
}
