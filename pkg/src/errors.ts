// What this package throws. What a server does wrong is never thrown: it is a `Violation` in the report.

import type { Outcome } from "./outcome.js";

/** Everything that this package throws. `code` is stable and meant to be matched on; the message is for people. */
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

/** Runs `work`, which calls into the core, and makes what the core throws an error of this package. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Error && "code" in error && typeof error.code === "string"
      ? new AgentwireError(error.code, error.message, { cause: error })
      : error;
  }
}
