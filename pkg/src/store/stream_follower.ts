// One stream from its request to its end, as a sequence of states.

import { must } from "../core/errors.js";
import type { DefaultProtocol } from "../generated/contract.js";
import type { AnyProtocol, Outcome, Update } from "../core/outcome.js";
import type { StreamLike } from "../read/read.js";
import { endingBy, endingOf } from "./ending.js";
import { IDLE, type StreamState, callsOf } from "./state.js";

/**
 * Starts a run: sends a request, and returns the stream of the response. `signal` aborts when the
 * run is stopped.
 */
export type StreamFunction<P extends AnyProtocol = DefaultProtocol> = (
  signal: AbortSignal,
) => StreamLike<P> | PromiseLike<StreamLike<P>>;

/** A run, or a function that starts one. */
export type StreamSource<P extends AnyProtocol = DefaultProtocol> =
  | StreamLike<P>
  | StreamFunction<P>;

export class StreamFollower<P extends AnyProtocol> {
  readonly #changed: (isFinal: boolean) => void;
  readonly #controller = new AbortController();
  #state: StreamState<P> = { ...IDLE, status: "sending" };
  /** The latest update that `state` does not contain yet. */
  #latest: Pick<Update<P>, "snapshot"> | undefined;
  #run: StreamLike<P> | undefined;
  readonly signal = this.#controller.signal;
  isOver = false;

  /** @param changed called after each change of the state, with whether it is final */
  constructor(changed: (isFinal: boolean) => void) {
    this.#changed = changed;
  }

  /** The current state. It is computed on access: once per frame, not once per chunk. */
  get state(): StreamState<P> {
    const latest = this.#latest;
    if (latest !== undefined) {
      this.#latest = undefined;
      this.#state = { ...this.#state, status: "streaming", ...this.#answer(latest.snapshot) };
    }
    return this.#state;
  }

  /** Starts the run, and reads it to the end. Never rejects. */
  async follow(source: StreamSource<P>): Promise<void> {
    try {
      const run = await (typeof source === "function" ? source(this.signal) : source);
      if (this.isOver) {
        // The run was stopped before it started.
        return void run.cancel(this.signal.reason).catch(() => {});
      }
      const isRun =
        typeof Object(run)[Symbol.asyncIterator] === "function" &&
        typeof run.finished === "function";
      must(
        isRun,
        "wrong-source",
        "a run must be the result of `read`: pass the Response to `read`, and return its result",
      );
      this.#run = run;
      for await (const update of run) {
        this.#latest = update;
        this.#changed(false);
      }
      const outcome: Outcome<P> = await run.finished();
      const news = {
        ...this.#answer(outcome.snapshot),
        report: outcome.report,
        ...endingOf(outcome),
      };
      // Calls of a run that failed cannot be answered.
      const pending = news.status === "done" ? news.toolCalls.filter(({ pending }) => pending) : [];
      this.#end({ ...news, pending });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Stops the run. The snapshot so far is kept. */
  abort(reason?: unknown): void {
    if (this.isOver) {
      return;
    }
    this.#controller.abort(reason);
    const run = this.#run;
    if (run === undefined) {
      return this.#end({ status: "stopped" });
    }
    // Canceling ends the loop.
    run.cancel(reason).catch(() => {});
  }

  #fail(error: unknown): void {
    const { outcome } = Object(error) as { readonly outcome?: Outcome<P> };
    try {
      this.#end({
        ...(outcome && { ...this.#answer(outcome.snapshot), report: outcome.report }),
        ...endingBy(error),
      });
    } catch {
      // The snapshot that came with the error cannot be read.
      this.#end(endingBy(error));
    }
  }

  #answer(snapshot: StreamState<P>["snapshot"]): Pick<StreamState<P>, "snapshot" | "toolCalls"> {
    return { snapshot, toolCalls: callsOf(snapshot, this.#state.toolCalls) };
  }

  #end(news: Partial<StreamState<P>>): void {
    if (this.isOver) {
      return;
    }
    this.#state = { ...this.state, ...news };
    this.isOver = true;
    this.#run = undefined;
    this.#changed(true);
  }
}
