// Reading a response or a stream as it arrives.

import { AgentwireError, ConnectionError, isAbort } from "../core/errors.js";
import type { AnyProtocol, Outcome, Update } from "../core/outcome.js";
import { core, isReady } from "../core/wasm.js";
import type { DefaultProtocol } from "../generated/contract.js";
import {
  type AgentwireSource,
  type Chunks,
  RESTART,
  isPromise,
  mustBeSource,
  openWhenReady,
} from "./body.js";
import { Fold } from "./fold.js";
import { type DecoderOptions, binaryOf } from "./options.js";
import type { Readables } from "./patch.js";
import { ReadOnce } from "./read_once.js";

/** The options for when to stop reading. All are optional. */
export interface StopOptions {
  /**
   * Aborting it stops the run, which is not an error: the outcome has the snapshot so far, and
   * `report.endReason` is `"aborted"`.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * The milliseconds for which the rest of the stream is read after the terminal event: 500 by
   * default. Servers close the stream immediately after it, and reading to the end lets the
   * connection be reused. Some proxies keep it open, so the body is canceled after this time.
   */
  readonly drainMs?: number | undefined;
}

/** The options of `read`. All are optional. */
export interface ReadOptions<P extends AnyProtocol = DefaultProtocol>
  extends DecoderOptions<P>,
    StopOptions {}

/**
 * A stream that is being read. Iterate over it, once, to receive an update for each network chunk
 * that changes something, or call `finished` without iterating. Reading starts with one of the two,
 * and never runs ahead of the loop. Leaving the loop early cancels the body and ends the run as
 * aborted; so does the end of an `await using` block if the run has not ended.
 */
export interface AgentStream<P extends AnyProtocol = DefaultProtocol>
  extends StreamOf<Update<P>, Outcome<P>> {}

/** A stream that is being read, by the types of its updates and its outcome. */
export interface StreamOf<U, O> extends AsyncIterable<U>, AsyncDisposable {
  /**
   * Resolves to the outcome of the stream, also when reading was aborted, canceled or left. Rejects
   * with `HttpError`, `ConnectionError`, `TrapError` or the error of a custom protocol
   * (`protocol-threw`), as does the loop; a rejection without a handler is not reported. All calls
   * return the same promise.
   */
  finished(): Promise<O>;
  /** Stops reading, cancels the body, and resolves to the outcome so far. */
  cancel(reason?: unknown): Promise<O>;
}

/**
 * A stream of this protocol, or of one of several: the return type of functions whose protocol the
 * compiler cannot infer.
 */
export type StreamLike<P extends AnyProtocol> = AgentStream<P> | StreamOf<Update<P>, Outcome<P>>;

/** Returns the stream of a source in one of these protocols. */
export function streamOf<P extends AnyProtocol>(
  reads: Readables,
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: ReadOptions<AnyProtocol>,
): AgentStream<P> {
  if (!isPromise(source)) {
    mustBeSource(source);
  }
  return new Reading(reads, source, options) as unknown as AgentStream<P>;
}

class Reading extends ReadOnce<Update<"auto">, Outcome<"auto">> implements AgentStream<"auto"> {
  readonly #source: AgentwireSource | Promise<AgentwireSource>;
  readonly #options: ReadOptions<AnyProtocol>;
  readonly #reads: Readables;
  #fold: Fold;
  #chunks: Chunks | undefined;
  #opening: Promise<Chunks> | undefined;
  /** Ends the wait for the source. */
  #interrupt: (() => void) | undefined;
  #drain: ReturnType<typeof setTimeout> | undefined;
  #over = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    reads: Readables,
    source: AgentwireSource | PromiseLike<AgentwireSource>,
    options: ReadOptions<AnyProtocol>,
  ) {
    super();
    this.#source = isPromise(source) ? Promise.resolve(source) : source;
    if (this.#source instanceof Promise) {
      // The source may fail before it is read; the reader receives the error.
      this.#source.catch(() => {});
      // Runs after the request was sent, unless the response has arrived by then.
      const waiting = setTimeout(() => warmed(reads, options.protocol));
      const stop = (): void => clearTimeout(waiting);
      this.#source.then(stop, stop);
    }
    this.#options = options;
    this.#reads = reads;
    this.#fold = new Fold(reads, options);
    options.signal?.addEventListener("abort", this.#abort);
    if (options.signal?.aborted) {
      void this.cancel(options.signal.reason);
    }
  }

  cancel(reason?: unknown): Promise<Outcome<"auto">> {
    this.#stop(reason);
    // A pending source is canceled when it arrives.
    void this.#opened();
    return this.outcome;
  }

  /** Yields the updates. With `looks` false, none are created. */
  protected async *updates(looks: boolean): AsyncGenerator<Update<"auto">, undefined> {
    try {
      const chunks = await this.#opened();
      while (chunks !== undefined) {
        const chunk = await this.#unlessOver(chunks.next());
        if (chunk === undefined) {
          break;
        }
        if (chunk.done) {
          this.#chunks = undefined;
          chunks.release();
          this.#conclude(false, ({ protocol, report }) =>
            protocol === undefined || report.events === 0 ? chunks.unrecognized?.() : undefined,
          );
          break;
        }
        const update = this.#pushed(chunk.value, looks);
        if (this.#over) {
          break;
        }
        if (this.#fold.ended) {
          this.#drain ??= setTimeout(
            () => this.#stop("the answer is complete"),
            this.#options.drainMs ?? DRAIN,
          );
        }
        if (update !== undefined) {
          yield update;
        }
      }
    } catch (error) {
      this.#broken(error);
    } finally {
      // A `break` in the loop continues here.
      this.#stop("the reader has stopped");
    }
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const last = looks ? this.#fold.update() : undefined;
    if (last !== undefined) {
      yield last;
    }
  }

  /** Pushes a chunk. An error ends the run, but not as a lost connection. */
  #pushed(chunk: Uint8Array, looks: boolean): Update<"auto"> | undefined {
    try {
      if (chunk === RESTART) {
        this.#fold.free();
        this.#fold = new Fold(this.#reads, this.#options);
        return undefined;
      }
      this.#fold.push(chunk);
      return looks ? this.#fold.update() : undefined;
    } catch (error) {
      this.#conclude(false, () => error);
      return undefined;
    }
  }

  /** Resolves to the chunks; undefined if the run ends before the source is available. */
  #opened(): Promise<Chunks | undefined> {
    if (this.#opening === undefined) {
      this.#opening = openWhenReady(
        this.#source,
        this.#options.framing,
        binaryOf(this.#reads, this.#options),
        (framing) => {
          if (!this.#over) {
            this.#fold.free();
            this.#fold = new Fold(this.#reads, { ...this.#options, framing });
          }
        },
      );
      this.#opening.then(
        (chunks) =>
          this.#over ? chunks.cancel("the reader has stopped") : (this.#chunks = chunks),
        () => {},
      );
    }
    return this.#unlessOver(this.#opening);
  }

  /**
   * Resolves like a promise, or to undefined when the run ends. A `Promise.race` with a single
   * promise for the end would collect a reaction for each chunk of the stream.
   */
  #unlessOver<T>(promise: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#interrupt = () => resolve(undefined);
      promise.then(resolve, reject);
      if (this.#over) {
        resolve(undefined);
      }
    });
  }

  /**
   * Stops reading immediately: the connection must not depend on a loop that is busy or missing.
   */
  #stop(reason: unknown): void {
    const chunks = this.#chunks;
    this.#chunks = undefined;
    chunks?.cancel(reason);
    this.#conclude(true);
    this.#interrupt?.();
  }

  #broken(error: unknown): void {
    if (error instanceof AgentwireError) {
      this.#conclude(false, () => error);
    } else if (this.#fold.ended) {
      // Nothing was lost: the response was complete.
      this.#conclude(false);
    } else if (isAbort(error)) {
      // The request was aborted by another signal.
      this.#conclude(true);
    } else {
      this.#conclude(false, (outcome) => new ConnectionError(error, outcome));
    }
  }

  /**
   * Ends the run: as failed if `failure` returns an error. The promise settles even if an error
   * occurs here.
   */
  #conclude(aborted: boolean, failure?: (outcome: Outcome<"auto">) => unknown): void {
    if (this.#over) {
      return;
    }
    this.#over = true;
    clearTimeout(this.#drain);
    this.#options.signal?.removeEventListener("abort", this.#abort);
    try {
      this.#fold.end(aborted);
      const outcome = this.#fold.outcome();
      const error = failure?.(outcome);
      if (error === undefined) {
        return this.resolve(outcome);
      }
      this.#failure = { error };
    } catch (error) {
      this.#fold.free();
      this.#failure = { error };
    }
    this.reject(this.#failure.error);
  }

  readonly #abort = (): void => void this.cancel(this.#options.signal?.reason);
}

/** The default of `drainMs`. */
const DRAIN = 500;

/**
 * Reads the sample of a protocol; the first one if the argument is not a name of these. See `warm`
 * of each entry point; `cargo xtask bench` measures it (cold start, `benches/js/cold.mjs`).
 */
export function warmed(reads: Readables, protocol?: AnyProtocol): void {
  if (!isReady(reads) || core(reads).warmReader !== undefined) {
    return;
  }
  const { tables, sample } = reads.find(({ tables }) => tables.name === protocol) ?? reads[0];
  const bytes = new TextEncoder().encode(sample());
  try {
    for (const size of [300, 2000]) {
      const fold = new Fold(reads, { protocol: tables.name });
      for (let from = 0; from < bytes.length; from += size) {
        fold.push(bytes.subarray(from, from + size));
        fold.update();
      }
      fold.end(false);
      void fold.outcome();
    }
  } catch {
    // There is not enough memory; the reader will throw an error.
  }
}
