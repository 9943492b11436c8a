// The beginning of a response: as long as nothing was sent, the refusal of a model can decide its
// HTTP status.

import type { ErrorInfo } from "../agentwire.js";
import { HttpError, isA, retryAfterMs } from "../core/errors.js";
import { within } from "../core/timers.js";
import { AgentError } from "./agent_error.js";

/**
 * The response to send instead of a stream: that of a model or an agent that was called, or that of
 * an `AgentError` with a status.
 */
export interface UpstreamRefusal {
  /** The HTTP status, from 400. */
  readonly status: number;
  /** The header `retry-after`, if the response had a valid one. */
  readonly headers: Readonly<Record<string, string>>;
  /** The error for the client. */
  readonly error: ErrorInfo;
}

/** The milliseconds in which an agent can begin to call a model. */
const CALL_DELAY_MS = 1000;

/** The beginnings by the signals of their runs, and by the requests of their agents. */
const BEGINNINGS = new WeakMap<object, Beginning>();

/** Returns the beginning of the run that one of these values belongs to. */
export function beginningOf(...values: unknown[]): Beginning | undefined {
  return values
    .map((value) =>
      typeof value === "object" && value !== null ? BEGINNINGS.get(value) : undefined,
    )
    .find((found) => found !== undefined);
}

/** Waits for the beginning of one response. */
export class Beginning {
  /** The calls whose responses have not arrived, and those that were refused. */
  #calls = 0;
  #waits = false;
  #settle!: (refusal: UpstreamRefusal | undefined) => void;
  readonly #settled = new Promise<UpstreamRefusal | undefined>(
    (resolve) => (this.#settle = resolve),
  );
  #idle: (() => void) | undefined;

  /** Lets calls find this beginning by a value of the run. */
  register(value: object): void {
    BEGINNINGS.set(value, this);
  }

  /** The agent has written something, or has ended. */
  begun(): void {
    this.#waits = false;
    this.#settle(undefined);
  }

  /**
   * Waits for a call of the agent, as this does for its response. A refused call counts until the
   * agent has handled it.
   */
  async during<T>(call: () => T | PromiseLike<T>): Promise<T> {
    this.#calls++;
    const result = await call();
    this.#calls--;
    if (this.#calls === 0) {
      this.#idle?.();
    }
    return result;
  }

  /** Whether a refusal still decides the status. */
  get isOpen(): boolean {
    return this.#waits;
  }

  /** Ends the wait with a refusal. Returns false if it is too late. */
  refuse(refusal: UpstreamRefusal): boolean {
    const isInTime = this.#waits;
    this.#waits = false;
    this.#settle(refusal);
    return isInTime;
  }

  /**
   * Resolves when the agent has written something or has ended: after a second if it calls no
   * model, and after `longest` milliseconds at the latest; with `Infinity` in any case only then.
   *
   * @returns the refusal that decides the status, if there is one
   */
  async wait(longest: number): Promise<UpstreamRefusal | undefined> {
    this.#waits = true;
    if (longest === Infinity) {
      return this.#settled;
    }
    const grace = Math.min(CALL_DELAY_MS, longest);
    const over = Symbol();
    let ended = await within(this.#settled, grace, () => over);
    if (ended === over && this.#calls > 0) {
      const idle = new Promise<symbol>((resolve) => (this.#idle = () => resolve(over)));
      ended = await within(Promise.race([this.#settled, idle]), longest - grace, () => over);
    }
    this.#waits = false;
    return typeof ended === "symbol" ? undefined : ended;
  }
}

/**
 * Returns the refusal in an error or in one of its causes. Any value can be thrown, including one
 * whose inspection throws.
 */
export function refusedBy(error: unknown): HttpError | RefusingError | undefined {
  try {
    if (isA(error, AgentError) && error.status !== undefined) {
      return error as RefusingError;
    }
    let cause: unknown = error;
    for (let depth = 0; depth < MOST_CAUSES && isA(cause, Error); depth++) {
      if (isA(cause, HttpError)) {
        return cause.code === "http-status" && cause.status >= 400 && cause.status < 600
          ? cause
          : undefined;
      }
      ({ cause } = cause);
    }
  } catch {
    // The `cause` of an error of the application can throw.
  }
  return undefined;
}

/** An error of an agent that has a status. */
type RefusingError = AgentError & { readonly status: number };

/** The causes of an error that are looked at: a cause can be its own cause. */
const MOST_CAUSES = 8;

/**
 * Returns the response to send for a refusal. Only `retry-after` of the headers of a server is
 * sent.
 */
export function upstreamRefusal(
  refused: HttpError | RefusingError,
  error: ErrorInfo,
): UpstreamRefusal {
  const waits = isA(refused, HttpError) && retryAfterMs(refused.headers) !== undefined;
  return {
    status: refused.status,
    headers: waits ? { "retry-after": refused.headers.get("retry-after")! } : {},
    error,
  };
}
