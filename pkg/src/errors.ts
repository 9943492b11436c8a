// What this package throws. What a server does wrong is never thrown: it is a `Violation` in the report.

import type { ErrorCode } from "./error_codes.js";
import type { Outcome } from "./outcome.js";
import { retryAfterMs } from "./retry_after.js";

/**
 * Everything that this package throws, or rejects with. `code` is stable and meant to be matched on; the message is for people.
 * `docs/reference/errors.md` has a line about each code. (What has been aborted rejects writes with the reason of its signal.)
 */
export class AgentwireError extends Error {
  override readonly name: string = "AgentwireError";
  /** Kebab-case name of the mistake or failure. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The server did not answer with an event stream. Code `http-status` when the status is not 2xx, `content-type` when it
 * is something else than `text/event-stream`.
 */
export class HttpError extends AgentwireError {
  override readonly name = "HttpError";
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the answer: `retry-after`, for example. */
  readonly headers: Headers;
  /** The beginning of the body, at most 64 KiB of it. */
  readonly body: string;

  constructor(status: number, headers: Headers, body: string) {
    const failed = status < 200 || status > 299;
    const type = headers.get("content-type");
    const what = failed ? `the server answered ${status}` : `the answer is ${type}, not text/event-stream`;
    const said = body === "" ? what : `${what}: ${wordsOf(body).slice(0, 200)}`;
    super(failed ? "http-status" : "content-type", status === 422 && BODY_REFUSED.test(body) ? `${said}${HINT}` : said);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** The time that the server asks to wait (`retry-after`, in seconds or a date), in milliseconds; undefined without that header. */
  get retryAfterMs(): number | undefined {
    return retryAfterMs(this.headers);
  }

  /** The `content-type` header as it came. */
  get contentType(): string | null {
    return this.headers.get("content-type");
  }

  /** The body as JSON, `undefined` if it is none: `{ detail: […] }` where an AgentScope server refuses a request. */
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

/** What a body has to say to people: one of the members that servers put it in, or the title of a page. Otherwise all of it. */
function wordsOf(body: string): string {
  const { error, detail, message, title } = Object(parsed(body));
  const listed = Array.isArray(detail) ? detail.map(problemOf).join("; ") : detail;
  const page = /<title>\s*([^<]+)/i.exec(body)?.[1]?.trim();
  const said = [error?.message, error, listed, message, title, page].find((words) => typeof words === "string" && words !== "");
  return (said as string | undefined) ?? body;
}

/** One problem of the list that FastAPI answers: its place below the body, and what it is. */
function problemOf(problem: unknown): string {
  const { loc, msg } = Object(problem);
  const place = [loc].flat().slice(1).join(".");
  return typeof msg !== "string" ? JSON.stringify(problem) : place === "" ? msg : `${place}: ${msg}`;
}

/** What FastAPI says of a body as a whole: that it is none, or no object. */
const BODY_REFUSED = /"loc":\s*\["body"\]/;
const HINT = "\n(the body was not taken as a JSON object: is it one, and is it sent with `content-type: application/json`?)";

/** The connection broke before the answer was complete. Code `connection-lost`; `cause` is the platform's error. */
export class ConnectionError extends AgentwireError {
  override readonly name = "ConnectionError";
  /** What had arrived; of `events`, which keeps nothing, undefined. */
  readonly outcome: Outcome<"auto"> | undefined;

  constructor(cause: unknown, outcome: Outcome<"auto"> | undefined) {
    super("connection-lost", `the connection broke: ${wordsOfFailure(cause)}`, { cause });
    this.outcome = outcome;
  }
}

/** What platforms report of a failed connection: Node in the cause of its error, pages nothing. */
function wordsOfFailure(error: unknown): string {
  const what = isA(error, Error) ? error.message : String(error);
  const { cause } = Object(error) as { readonly cause?: unknown };
  const first = (Object(cause) as { readonly errors?: readonly unknown[] }).errors?.[0] ?? cause;
  if (isA(first, Error) && !what.includes(first.message)) {
    return `${what}: ${first.message}`;
  }
  return FETCH_FAILED.test(what) ? `${what} (the server was not reached, or CORS does not allow the page to read it)` : what;
}

/** The messages of Chromium, Firefox and Safari. */
const FETCH_FAILED = /^(failed to fetch|networkerror when|load failed)/i;

/** Whether an error is that of an `AbortSignal`: aborted, or timed out. */
export function isAbort(error: unknown): boolean {
  return isA(error, Error) && (error.name === "AbortError" || error.name === "TimeoutError");
}

/** Returns the error of a call whose result JavaScript could not hold: a string too long for the engine, or no memory. */
export function tooLarge(cause: unknown): AgentwireError {
  const why = isA(cause, Error) ? cause.message : String(cause);
  return new AgentwireError("too-large", `the result of the call is too large for JavaScript: ${why}`, { cause });
}

/** `instanceof` for what was thrown: that can be any value, also one that throws when it is looked at. */
export function isA<T>(thrown: unknown, type: abstract new (...given: never[]) => T): thrown is T {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}

/**
 * The WebAssembly module has trapped: its memory was used up, or it has met a state that must not be, which is a mistake of
 * this package. Code `core-trapped`; `cause` is the engine's error.
 *
 * It ends the stream, the builder or the request that was at work, and nothing else: what begins afterwards works in a new
 * instance of the module. What was at work in the old one goes on there if the trap has left it sound, and fails with this
 * error at its next call if not.
 */
export class TrapError extends AgentwireError {
  override readonly name = "TrapError";
  /**
   * Where a stream was read: the answer as far as it had come. What the module knew of the stream has gone with it, so the
   * report is the last one that was taken, or an empty one, and `endReason` is null.
   */
  outcome: Outcome<"auto"> | undefined;

  constructor(message: string, cause?: unknown) {
    super("core-trapped", message, { cause });
  }
}
