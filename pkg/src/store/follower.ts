// One run from its request to its end, as states.

import { AgentwireError } from "../errors.js";
import type { DefaultProtocol } from "../generated.js";
import type { AnyProtocol, Outcome, Update } from "../outcome.js";
import type { StreamLike } from "../read.js";
import { IDLE, type RunState, callsOf, endBy, endOf } from "./state.js";

/** Makes a run: asks an agent, and reads the answer. `signal` is aborted when the run is to stop. */
export type RunFunction<P extends AnyProtocol = DefaultProtocol> = (signal: AbortSignal) => StreamLike<P> | PromiseLike<StreamLike<P>>;

/** A run, or what makes one. */
export type RunSource<P extends AnyProtocol = DefaultProtocol> = StreamLike<P> | RunFunction<P>;

export class Follower<P extends AnyProtocol> {
  readonly #changed: (isFinal: boolean) => void;
  readonly #controller = new AbortController();
  #state: RunState<P> = { ...IDLE, status: "connecting" };
  /** What has come since the state was looked at. */
  #latest: Pick<Update<P>, "snapshot"> | undefined;
  #run: StreamLike<P> | undefined;
  readonly signal = this.#controller.signal;
  isOver = false;

  /** @param changed is told that the state is another one, and whether it is the last */
  constructor(changed: (isFinal: boolean) => void) {
    this.#changed = changed;
  }

  /** The run as it is now. Worked out when it is looked at: once per frame, not once per chunk. */
  get state(): RunState<P> {
    const latest = this.#latest;
    if (latest !== undefined) {
      this.#latest = undefined;
      this.#state = { ...this.#state, status: "streaming", ...this.#answer(latest.snapshot) };
    }
    return this.#state;
  }

  /** Asks, and reads to the end. Never rejects. */
  async follow(source: RunSource<P>): Promise<void> {
    try {
      const run = await (typeof source === "function" ? source(this.signal) : source);
      if (this.isOver) {
        // It was stopped before there was a run.
        return void run.cancel(this.signal.reason).catch(() => {});
      }
      if (typeof Object(run)[Symbol.asyncIterator] !== "function" || typeof run.finished !== "function") {
        throw new AgentwireError("wrong-source", "what answers a request is a run: give the Response to `read`, and return what it returns");
      }
      this.#run = run;
      for await (const update of run) {
        this.#latest = update;
        this.#changed(false);
      }
      const outcome: Outcome<P> = await run.finished();
      const news = { ...this.#answer(outcome.snapshot), report: outcome.report, ...endOf(outcome) };
      // What an answer asks that went wrong is nobody's to answer.
      const pending = news.status === "done" ? news.toolCalls.filter(({ pending }) => pending) : [];
      this.#end({ ...news, pending });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Stops it. What has come stays. */
  abort(reason?: unknown): void {
    if (this.isOver) {
      return;
    }
    this.#controller.abort(reason);
    const run = this.#run;
    if (run === undefined) {
      return this.#end({ status: "aborted" });
    }
    // The loop ends by that.
    run.cancel(reason).catch(() => {});
  }

  #fail(error: unknown): void {
    const { outcome } = Object(error) as { readonly outcome?: Outcome<P> };
    try {
      this.#end({ ...(outcome && { ...this.#answer(outcome.snapshot), report: outcome.report }), ...endBy(error) });
    } catch {
      // The answer that came with the error cannot be shown.
      this.#end(endBy(error));
    }
  }

  #answer(snapshot: RunState<P>["snapshot"]): Pick<RunState<P>, "snapshot" | "toolCalls"> {
    return { snapshot, toolCalls: callsOf(snapshot, this.#state.toolCalls) };
  }

  #end(news: Partial<RunState<P>>): void {
    if (this.isOver) {
      return;
    }
    this.#state = { ...this.state, ...news };
    this.isOver = true;
    this.#run = undefined;
    this.#changed(true);
  }
}
