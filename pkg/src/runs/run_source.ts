// Reads the events of a run as one stream of bytes, over as many connections as necessary. The core
// determines each step; this file performs it.

import { RESTART, type Chunks, open } from "../read/body.js";
import type { RawFollower } from "../agentwire.js";
import { AgentwireError, ConnectionError, HttpError } from "../core/errors.js";
import { seed } from "../core/random.js";
import { pause, within } from "../core/timers.js";
import { coreWith } from "../core/wasm.js";

/** The counters of a run that is followed. */
export interface RunConnections {
  /** The number of responses whose body was read. */
  readonly connections: number;
  /** The number of times the run was read from its beginning again. */
  readonly resets: number;
  /** The number of events delivered. */
  readonly events: number;
  /** The number of repeated events, which were dropped. */
  readonly redelivered: number;
  /** The number of events of other runs, which were dropped. */
  readonly foreign: number;
  /**
   * The number of events without a cursor. After such an event, a lost connection restarts the run
   * from its beginning.
   */
  readonly withoutId: number;
  /** The number of events that were too large, which were dropped. */
  readonly oversize: number;
}

/** The next step, as the core returns it. */
type Step =
  | { readonly to: "connect"; readonly lastEventId?: string; readonly fromStart: boolean }
  | { readonly to: "read" }
  | { readonly to: "wait"; readonly milliseconds: number }
  | { readonly to: "stop"; readonly reason: "ended" | "nothing-left" | "refused" | "gave-up" };

/** Sends the request for the events. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/** The options for lost connections. */
export interface RetryOptions {
  /**
   * The approximate delay after a lost connection, in milliseconds. 250 by default; it doubles with
   * each attempt that delivers nothing.
   */
  readonly baseDelayMs?: number | undefined;
  /**
   * The maximum delay in milliseconds, unless the server requests a longer one. 30,000 by default.
   * A server that requests more than ten minutes is not asked again: the `HttpError` has the time
   * in `retryAfterMs`.
   */
  readonly maxDelayMs?: number | undefined;
  /**
   * The number of consecutive attempts that deliver nothing, after which the client gives up. 10 by
   * default.
   */
  readonly attempts?: number | undefined;
  /**
   * The time in milliseconds without any bytes, keep-alive comments included, after which a
   * connection counts as lost. 60,000 by default.
   */
  readonly idleTimeoutMs?: number | undefined;
}

/** The longest wait that a server can request, in milliseconds: that of the core. */
const LONGEST_WAIT = 10 * 60 * 1000;

/**
 * Returns the wait that an error requests, in milliseconds; 0 for none.
 *
 * @throws the error if the wait is too long: the caller decides when the request is repeated
 */
export function waitOf(error: unknown): number {
  const wait = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
  if (wait > LONGEST_WAIT) {
    throw error;
  }
  return wait;
}

/** Returns the arguments of the core for these options. */
export function retriesOf({
  baseDelayMs = 250,
  maxDelayMs = 30_000,
  attempts = 10,
}: RetryOptions): [baseDelayMs: number, maxDelayMs: number, attempts: number, seed: bigint] {
  return [baseDelayMs, maxDelayMs, attempts, seed()];
}

/** A run that is followed, as a source of bytes. */
export class RunSource implements AsyncIterable<Uint8Array> {
  readonly #core = coreWith("RawFollower", "runs");
  readonly #follower: RawFollower;
  readonly #connect: Connect;
  readonly #patience: number;
  readonly #controller = new AbortController();
  #failure: unknown;
  /** The values at the time when the core's memory was freed. */
  #last: { readonly cursor: string | undefined; readonly counts: RunConnections } | undefined;

  /** @param after the cursor after which the run is read */
  constructor(runId: string, after: string | undefined, connect: Connect, options: RetryOptions) {
    this.#follower = this.#core.run(
      () => new this.#core.bindings.RawFollower(runId, after, ...retriesOf(options)),
    );
    this.#connect = connect;
    this.#patience = options.idleTimeoutMs ?? 60_000;
  }

  /** The value of `Last-Event-ID` for the next connection. */
  get cursor(): string | undefined {
    return this.#last === undefined ? this.#call(() => this.#follower.cursor()) : this.#last.cursor;
  }

  get counts(): RunConnections {
    return (
      this.#last?.counts ??
      (JSON.parse(this.#call(() => this.#follower.counts())) as RunConnections)
    );
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    const bytes = this.#bytes();
    return {
      next: () => bytes.next(),
      // `bytes.return` waits for the operation in progress, which the abort ends.
      return: () => {
        this.#controller.abort("the reader has stopped");
        return bytes.return(undefined);
      },
    };
  }

  async *#bytes(): AsyncGenerator<Uint8Array, undefined> {
    const { signal } = this.#controller;
    let chunks: Chunks | undefined;
    let hasBytes = false;
    try {
      while (!signal.aborted) {
        const step = JSON.parse(this.#call(() => this.#follower.step())) as Step;
        if (step.to !== "read") {
          chunks?.cancel("the run is read from elsewhere");
          chunks = undefined;
        }
        if (step.to === "stop") {
          return this.#stopped(step.reason);
        }
        if (step.to === "wait") {
          await pause(step.milliseconds, signal);
          this.#call(() => this.#follower.waited());
        } else if (step.to === "connect") {
          chunks = await this.#connected(step.lastEventId);
          if (step.fromStart && chunks !== undefined && hasBytes) {
            yield RESTART;
          }
        } else {
          const chunk = await this.#next(chunks!);
          const bytes = chunk && this.#call(() => this.#follower.push(chunk));
          if (chunk === undefined) {
            this.#call(() => this.#follower.closed());
          } else if (bytes !== undefined && bytes.length > 0) {
            hasBytes = true;
            yield bytes;
          }
        }
      }
    } finally {
      this.#controller.abort("the reader has stopped");
      chunks?.cancel("the reader has stopped");
      this.#free();
    }
    return undefined;
  }

  /**
   * Opens a connection. Returns the body of the response; undefined if the connection or the
   * request failed.
   */
  async #connected(lastEventId: string | undefined): Promise<Chunks | undefined> {
    let response: Response;
    try {
      response = await this.#connect(lastEventId, this.#controller.signal);
    } catch (error) {
      if (error instanceof AgentwireError) {
        throw error;
      }
      this.#failed(error);
      return undefined;
    }
    const chunks = open(response);
    if (response.ok) {
      this.#call(() => this.#follower.answered(response.status, "", 0));
      return chunks;
    }
    const failure = await chunks.next().then(undefined, (error: unknown) => error);
    chunks.cancel("the response is not a stream");
    this.#failure = failure;
    const body = failure instanceof HttpError ? failure.body : "";
    const wait = waitOf(failure);
    this.#call(() => this.#follower.answered(response.status, body, wait));
    return undefined;
  }

  /**
   * Returns the next bytes; undefined if the connection has ended, or has been silent for too long.
   */
  async #next(chunks: Chunks): Promise<Uint8Array | undefined> {
    try {
      const chunk = await within(chunks.next(), this.#patience, () => undefined);
      const refusal = chunks.unrecognized?.();
      if (refusal !== undefined) {
        throw refusal;
      }
      return chunk === undefined || chunk.done ? undefined : chunk.value;
    } catch (error) {
      if (error instanceof HttpError) {
        // A successful response that is not a stream, for example a login page.
        throw error;
      }
      this.#failure = error;
      return undefined;
    }
  }

  #failed(error: unknown): void {
    this.#failure = error;
    this.#call(() => this.#follower.closed());
  }

  #stopped(reason: (Step & { to: "stop" })["reason"]): undefined {
    if (reason === "refused" || reason === "gave-up") {
      const failure = this.#failure ?? "the connections brought nothing";
      throw failure instanceof AgentwireError ? failure : new ConnectionError(failure, undefined);
    }
    return undefined;
  }

  #call<T>(work: () => T): T {
    return this.#core.run(work);
  }

  #free(): void {
    if (this.#last === undefined) {
      this.#last = { cursor: this.cursor, counts: this.counts };
      this.#core.free(this.#follower);
    }
  }
}
