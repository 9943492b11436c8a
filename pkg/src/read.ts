// Reading a response or a stream as it arrives.

import { ANEW, type Chunks, type AgentwireSource, framingOf, mustBeSource, open } from "./body.js";
import { AgentwireError, ConnectionError, isAbort } from "./errors.js";
import { Fold } from "./fold.js";
import type { DefaultProtocol } from "./generated.js";
import { type DecoderOptions, binaryOf } from "./options.js";
import type { Outcome, AnyProtocol, Update } from "./outcome.js";
import type { Readables } from "./readable.js";
import { warmed } from "./warm.js";

/** When to stop reading. Everything is optional. */
export interface StopOptions {
  /** Aborting it is an outcome, not an error: what has been read is there, and `report.endReason` is `"aborted"`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * For how many milliseconds the rest of the stream is read once the terminal event has been: 500 by default. Servers
   * close the stream at once, and reading to the end lets the connection be used again. But some proxies keep it open,
   * and nothing shall wait for those: after this time the body is canceled.
   */
  readonly drainMs?: number | undefined;
}

/** How a stream is read, and when to stop. */
export interface ReadOptions<P extends AnyProtocol = DefaultProtocol> extends DecoderOptions<P>, StopOptions {}

/**
 * A stream being read. Iterate over it, once, to get an update for each chunk of the network that changes something; or call
 * `finished` without iterating, and it reads by itself. It reads nothing before one of the two, and never more than the
 * loop has asked for. Leaving the loop early cancels the body and ends the run as aborted; so does the end of an
 * `await using`, if the run is not over by then.
 */
export interface AgentStream<P extends AnyProtocol = DefaultProtocol> extends StreamOf<Update<P>, Outcome<P>> {}

/** A stream being read, by what it gives. */
export interface StreamOf<U, O> extends AsyncIterable<U>, AsyncDisposable {
  /**
   * Resolves to what the stream came to, also when the reading was aborted, canceled or left. Rejects with `HttpError`,
   * `ConnectionError`, `TrapError` or what a protocol of your own has come to (`protocol-threw`), as does the loop; a
   * rejection that nobody looks at is not reported as unhandled. Every call gives the same promise.
   */
  finished(): Promise<O>;
  /** Stops reading, cancels the body, and resolves to what there is. */
  cancel(reason?: unknown): Promise<O>;
}

/** A stream of this protocol, or of one of several: what a function returns whose protocol the compiler cannot infer. */
export type StreamLike<P extends AnyProtocol> = AgentStream<P> | StreamOf<Update<P>, Outcome<P>>;

/** Reads an answer, of one of these protocols. */
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

class Reading implements AgentStream<"auto"> {
  readonly #source: AgentwireSource | Promise<AgentwireSource>;
  readonly #options: ReadOptions<AnyProtocol>;
  readonly #reads: Readables;
  #fold: Fold;
  readonly #finished: Promise<Outcome<"auto">>;
  #resolve!: (outcome: Outcome<"auto">) => void;
  #reject!: (error: unknown) => void;
  /** Somebody iterates, or nobody will. */
  #taken = false;
  #chunks: Chunks | undefined;
  #opening: Promise<Chunks> | undefined;
  /** Ends the wait for the source. */
  #interrupt: (() => void) | undefined;
  #drain: ReturnType<typeof setTimeout> | undefined;
  #over = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(reads: Readables, source: AgentwireSource | PromiseLike<AgentwireSource>, options: ReadOptions<AnyProtocol>) {
    this.#source = isPromise(source) ? Promise.resolve(source) : source;
    if (this.#source instanceof Promise) {
      // It may fail before anybody reads: whoever reads is told.
      this.#source.catch(() => {});
      // After the request has gone out, and not if the answer is here by then.
      const waiting = setTimeout(() => warmed(reads, options.protocol));
      const stop = (): void => clearTimeout(waiting);
      this.#source.then(stop, stop);
    }
    this.#options = options;
    this.#reads = reads;
    this.#fold = new Fold(reads, options);
    this.#finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#finished.catch(() => {});
    options.signal?.addEventListener("abort", this.#abort);
    if (options.signal?.aborted) {
      void this.cancel(options.signal.reason);
    }
  }

  finished(): Promise<Outcome<"auto">> {
    // A microtask later, so that it can be called right before the loop.
    queueMicrotask(() => this.#readAlone());
    return this.#finished;
  }

  cancel(reason?: unknown): Promise<Outcome<"auto">> {
    this.#stop(reason);
    // A source that is still to come is told when it is there.
    void this.#opened();
    return this.#finished;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What went wrong was told to whoever reads.
    await this.cancel("nobody reads on").catch(() => {});
  }

  [Symbol.asyncIterator](): AsyncIterator<Update<"auto">, undefined> {
    if (this.#taken) {
      throw new AgentwireError("consumed", "a run is read once: by one loop, or by finished() without a loop");
    }
    this.#taken = true;
    return this.#updates();
  }

  async #readAlone(): Promise<void> {
    if (this.#taken) {
      return;
    }
    this.#taken = true;
    const updates = this.#updates(false);
    try {
      while (!(await updates.next()).done);
    } catch {
      // The promise says it.
    }
  }

  /** Unless somebody looks at them no updates are made. */
  async *#updates(looks = true): AsyncGenerator<Update<"auto">, undefined> {
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
          this.#conclude(false);
          break;
        }
        const update = this.#pushed(chunk.value, looks);
        if (this.#over) {
          break;
        }
        if (this.#fold.ended) {
          this.#drain ??= setTimeout(() => this.#stop("the answer is complete"), this.#options.drainMs ?? DRAIN);
        }
        if (update !== undefined) {
          yield update;
        }
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      // By `break` one gets here too.
      this.#stop("nobody reads on");
    }
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const last = looks ? this.#fold.update() : undefined;
    if (last !== undefined) {
      yield last;
    }
  }

  /** What cannot be read ends the run, but it is not the connection that broke. */
  #pushed(chunk: Uint8Array, looks: boolean): Update<"auto"> | undefined {
    try {
      if (chunk === ANEW) {
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

  async #open(): Promise<Chunks> {
    const source = await this.#source;
    const { framing: asked } = this.#options;
    const framing = framingOf(source, asked, binaryOf(this.#reads, this.#options));
    if (framing !== (asked ?? "sse") && !this.#over) {
      this.#fold.free();
      this.#fold = new Fold(this.#reads, { ...this.#options, framing });
    }
    return open(source, framing);
  }

  /** Undefined if the run is over before the source is there. */
  #opened(): Promise<Chunks | undefined> {
    if (this.#opening === undefined) {
      this.#opening = this.#open();
      this.#opening.then(
        (chunks) => (this.#over ? chunks.cancel("nobody reads it") : (this.#chunks = chunks)),
        () => {},
      );
    }
    return this.#unlessOver(this.#opening);
  }

  /**
   * What a promise resolves to, or undefined as soon as the run is over. Not a `Promise.race` with one promise for the
   * end: that one would collect a reaction for each chunk of the stream.
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

  /** Reads no further, now: a loop that is busy, or is not there, must not keep the connection. */
  #stop(reason: unknown): void {
    const chunks = this.#chunks;
    this.#chunks = undefined;
    chunks?.cancel(reason);
    this.#conclude(true);
    this.#interrupt?.();
  }

  #fail(error: unknown): void {
    if (error instanceof AgentwireError) {
      this.#conclude(false, () => error);
    } else if (this.#fold.ended) {
      // Nothing was lost: the answer was complete.
      this.#conclude(false);
    } else if (isAbort(error)) {
      // Somebody aborted the request and did not tell us.
      this.#conclude(true);
    } else {
      this.#conclude(false, (outcome) => new ConnectionError(error, outcome));
    }
  }

  /** Whatever goes wrong here, the run is over and its promise settles. */
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
      if (failure === undefined) {
        return this.#resolve(outcome);
      }
      this.#failure = { error: failure(outcome) };
    } catch (error) {
      this.#fold.free();
      this.#failure = { error };
    }
    this.#reject(this.#failure.error);
  }

  readonly #abort = (): void => void this.cancel(this.#options.signal?.reason);
}

function isPromise<T extends object>(source: T | PromiseLike<T>): source is PromiseLike<T> {
  return typeof source === "object" && source !== null && "then" in source;
}

/** Milliseconds. */
const DRAIN = 500;
