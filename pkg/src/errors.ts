// What this package throws. What a server does wrong is never thrown: it is a `Violation` in the report.

import type { Outcome } from "./outcome.js";

/**
 * Everything that this package throws. `code` is stable and meant to be matched on; the message is for people.
 *
 * - `wrong-argument`: an argument of a wrong type; the message names function and parameter. `missing-argument`: a member of
 *   one is not there. `wrong-option`, `unknown-protocol`, `protocol-not-converted`: an option.
 * - `wrong-source`, `body-used`, `wrong-chunk`: what is to be read is no stream, was read already, or yields no bytes.
 * - `consumed`, `finished`, `freed`, `ended`: the run, reader, object or stream that is called is over.
 * - `http-status`, `content-type` ({@link HttpError}), `connection-lost` ({@link ConnectionError}), `core-trapped`
 *   ({@link TrapError}), `bad-request` (`RequestError`), `protocol-threw` (a function of a protocol of your own).
 * - A builder's refusal of what would make the stream illegal has the id of the rule in `docs/rules.md`, or the name of the
 *   mistake, such as `id-taken` or `set-after-delta`.
 */
export class AgentwireError extends Error {
  override readonly name: string = "AgentwireError";
  /** Kebab-case name of the mistake or failure. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
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
  /** The `content-type` header as it came. */
  readonly contentType: string | null;
  /** The beginning of the body, at most 64 KiB of it. */
  readonly body: string;

  constructor(status: number, contentType: string | null, body: string) {
    const failed = status < 200 || status > 299;
    const what = failed ? `the server answered ${status}` : `the answer is ${contentType}, not text/event-stream`;
    super(failed ? "http-status" : "content-type", body === "" ? what : `${what}: ${body.slice(0, 200)}`);
    this.status = status;
    this.contentType = contentType;
    this.body = body;
  }

  /** The body as JSON, `undefined` if it is none: `{ detail: […] }` where an AgentScope server refuses a request. */
  get json(): unknown {
    try {
      return JSON.parse(this.body);
    } catch {
      return undefined;
    }
  }
}

/** The connection broke before the answer was complete. Code `connection-lost`; `cause` is the platform's error. */
export class ConnectionError extends AgentwireError {
  override readonly name = "ConnectionError";
  /** What had arrived. */
  readonly outcome: Outcome<"auto">;

  constructor(cause: unknown, outcome: Outcome<"auto">) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super("connection-lost", `the connection broke: ${what}`, { cause });
    this.outcome = outcome;
  }
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
   * report is the last one that was taken, or an empty one, and `ended` is `"open"`.
   */
  outcome: Outcome<"auto"> | undefined;

  constructor(message: string, cause?: unknown) {
    super("core-trapped", message, { cause });
  }
}
