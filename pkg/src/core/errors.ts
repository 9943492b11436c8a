// The errors of this package. Errors of a server are not thrown: each is a `Violation` in the
// report.

import type { ErrorCode } from "./error_codes.js";
import type { Outcome } from "./outcome.js";

/**
 * The base class of the errors that this package throws or rejects with. `code` is stable and can
 * be matched on ({@link https://agentwire.github.io/agentwire/reference/errors | all codes}); the
 * message is for people. (Writes to an aborted stream reject with the reason of its signal.)
 */
export class AgentwireError extends Error {
  override readonly name: string = "AgentwireError";
  /** The error code, in kebab-case. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Throws an error unless a condition holds. */
export function must(condition: unknown, code: ErrorCode, message: string): asserts condition {
  if (!condition) {
    throw new AgentwireError(code, message);
  }
}

/**
 * Thrown when a server does not respond with an event stream. Code `http-status` if the status is
 * not 2xx, `content-type` if the body is neither a stream nor JSON, for example a page.
 */
export class HttpError extends AgentwireError {
  override readonly name = "HttpError";
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the response, for example `retry-after`. */
  readonly headers: Headers;
  /** The start of the body, at most 64 KiB. */
  readonly body: string;

  /**
   * @param url the address of the response, which the message of a 404 or 405 names without its
   * query
   * @param reason the start of the message, if the response is neither refused nor of another
   * content type
   */
  constructor(status: number, headers: Headers, body: string, url = "", reason?: string) {
    const failed = status < 200 || status > 299;
    const type = headers.get("content-type");
    const at =
      url !== "" && (status === 404 || status === 405) ? ` at ${url.replace(/[?#].*/s, "")}` : "";
    const what =
      reason ??
      (failed
        ? `the server answered ${status}${at}`
        : `the answer is ${type}, not text/event-stream`);
    const message = body === "" ? what : `${what}: ${wordsOf(body).slice(0, 200)}`;
    super(
      failed ? "http-status" : "content-type",
      status === 422 && BODY_REJECTED.test(body) ? `${message}${HINT}` : message,
    );
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /**
   * The time that the server asks to wait (`retry-after`, in seconds or a date), in milliseconds;
   * undefined without that header.
   */
  get retryAfterMs(): number | undefined {
    return retryAfterMs(this.headers);
  }

  /** The unchanged `content-type` header. */
  get contentType(): string | null {
    return this.headers.get("content-type");
  }

  /**
   * The body as JSON, for example `{ detail: […] }` if an AgentScope server rejects a request;
   * `undefined` if it is not JSON.
   */
  get json(): unknown {
    return parsed(this.body);
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns the message of an error body: one of the properties that servers use for it, or the title
 * of a page. Otherwise the whole body.
 */
function wordsOf(body: string): string {
  const { error, detail, message, title } = Object(parsed(body));
  const listed = Array.isArray(detail) ? detail.map(problemOf).join("; ") : detail;
  const page = /<title>\s*([^<]+)/i.exec(body)?.[1]?.trim();
  const found = [error?.message, error, listed, message, title, page].find(
    (words) => typeof words === "string" && words !== "",
  );
  return (found as string | undefined) ?? body;
}

/** Returns one problem of FastAPI's list as text: its path below the body, and its message. */
function problemOf(problem: unknown): string {
  const { loc, msg } = Object(problem);
  const place = [loc].flat().slice(1).join(".");
  return typeof msg !== "string"
    ? JSON.stringify(problem)
    : place === ""
      ? msg
      : `${place}: ${msg}`;
}

/** Matches FastAPI's problem for a body that is missing or is not an object. */
const BODY_REJECTED = /"loc":\s*\["body"\]/;
const HINT =
  "\n(the body was not taken as a JSON object: is it one, and is it sent with `content-type: application/json`?)";

/**
 * Thrown when the connection is lost before the response is complete. Code `connection-lost`;
 * `cause` is the platform's error.
 */
export class ConnectionError extends AgentwireError {
  override readonly name = "ConnectionError";
  /** The outcome of the events that had arrived; undefined for `events`, which stores none. */
  readonly outcome: Outcome<"auto"> | undefined;

  constructor(cause: unknown, outcome: Outcome<"auto"> | undefined) {
    super("connection-lost", `the connection broke: ${wordsOfFailure(cause)}`, { cause });
    this.outcome = outcome;
  }
}

/**
 * Returns the message of a failed connection: in Node, that of the error's cause; browsers give no
 * details.
 */
function wordsOfFailure(error: unknown): string {
  const what = isA(error, Error) ? error.message : String(error);
  const { cause } = Object(error) as { readonly cause?: unknown };
  const first = (Object(cause) as { readonly errors?: readonly unknown[] }).errors?.[0] ?? cause;
  if (isA(first, Error) && !what.includes(first.message)) {
    return `${what}: ${first.message}`;
  }
  return FETCH_FAILED.test(what)
    ? `${what} (the server was not reached, or CORS does not allow the page to read it)`
    : what;
}

/** The messages of Chromium, Firefox and Safari. */
const FETCH_FAILED = /^(failed to fetch|networkerror when|load failed)/i;

/** Returns whether an error is that of an `AbortSignal`: aborted, or timed out. */
export function isAbort(error: unknown): boolean {
  return isA(error, Error) && (error.name === "AbortError" || error.name === "TimeoutError");
}

/**
 * Returns the error of a call whose result JavaScript cannot hold: a string that is too long for
 * the engine, or out of memory.
 */
export function tooLarge(cause: unknown): AgentwireError {
  const reason = isA(cause, Error) ? cause.message : String(cause);
  return new AgentwireError(
    "too-large",
    `the result of the call is too large for JavaScript: ${reason}`,
    { cause },
  );
}

/**
 * Like `instanceof`, for a thrown value, which can be any value, including one whose inspection
 * throws.
 */
export function isA<T>(thrown: unknown, type: abstract new (...given: never[]) => T): thrown is T {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}

/**
 * Thrown when the WebAssembly module traps: it ran out of memory, or reached an invalid state
 * because of a bug in this package. Code `core-trapped`; `cause` is the engine's error.
 *
 * Only the stream, builder or request of the trapped call ends. New ones use a new instance of the
 * module. Existing ones continue in the old instance if the trap left it intact; otherwise their
 * next call throws this error.
 */
export class TrapError extends AgentwireError {
  override readonly name = "TrapError";
  /**
   * The outcome so far, if a stream was read. The module's data about the stream is lost, so the
   * report is the last one that was requested, or an empty one, and `endReason` is null.
   */
  outcome: Outcome<"auto"> | undefined;

  constructor(message: string, cause?: unknown) {
    super("core-trapped", message, { cause });
  }
}

/**
 * Returns the time of `Retry-After` in milliseconds; undefined without a valid one. A date is
 * compared with the `date` header of the response if it has one, because the clock of the client
 * may be wrong.
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

/** Returns the result of a tool that has thrown, for the model. */
export function failedResult(error: unknown): string {
  return `Error: ${isA(error, Error) ? error.message : String(error)}`;
}
