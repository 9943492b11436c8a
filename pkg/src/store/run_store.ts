// A run as a store that a page subscribes to.

import { knownOptions } from "../core/arguments.js";
import type { DefaultProtocol } from "../generated/contract.js";
import type { AnyProtocol } from "../core/outcome.js";
import { Follower, type RunSource } from "./follower.js";
import { PublishedValue } from "./published_value.js";
import { IDLE, type RunState } from "./state.js";

/** The options of a store. */
export interface StoreOptions {
  /** Whether the run continues when the last subscriber leaves: false by default, which aborts it. */
  readonly keepAlive?: boolean | undefined;
}

/** A run as a store. Its functions do not depend on `this`. */
export interface RunStore<P extends AnyProtocol = DefaultProtocol> extends AsyncDisposable {
  /**
   * Calls `listener` after each change: at most once per frame, and immediately when the run ends. The first
   * subscription starts the run. When the last subscriber leaves and none follows until the next task, the run is
   * aborted, unless `keepAlive` is true.
   *
   * @returns a function that ends the subscription
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the state of the last notification, which is the same object until the next one. */
  readonly getSnapshot: () => RunState<P>;
  /** Returns the state for server rendering and hydration: that of a run that has not started. */
  readonly getServerSnapshot: () => RunState<P>;
  /** Starts the run, unless it has started. */
  readonly start: () => void;
  /** Stops the run. The snapshot so far is kept. */
  readonly abort: (reason?: unknown) => void;
  /**
   * Starts the run again by calling the function that starts it. A store never retries automatically, because a request
   * may have had effects. Right after `abort`, the new run starts when the aborted one has ended.
   *
   * Returns false, and sends no request, while a run is in progress that was not aborted, or if the store was created
   * with a run instead of a function. Never throws.
   */
  readonly retry: () => boolean;
  /** Resolves to the last state of the run when it has ended in any way. Never rejects, and does not start the run. */
  readonly finished: () => Promise<RunState<P>>;
}

/**
 * Creates a store for a run: `subscribe` and `getSnapshot` fit React's `useSyncExternalStore` and adapters of other
 * frameworks. It does not depend on a page, and renders on a server in the state before the run starts.
 *
 * ```js
 * import { init, read } from "agentwire/reader";
 * import { createRunStore } from "agentwire/store";
 *
 * const store = createRunStore(async (signal) => {
 *   await init();
 *   return read(fetch("/process", { method: "POST", headers, body, signal }), { signal });
 * });
 * const leave = store.subscribe(() => draw(store.getSnapshot())); // starts it
 * ```
 *
 * @param source a function that starts a run, or a run that is not being read
 */
export function createRunStore<P extends AnyProtocol = DefaultProtocol>(source: RunSource<P>, options: StoreOptions = {}): RunStore<P> {
  knownOptions("createRunStore()", options, ["keepAlive"]);
  const waiting: ((state: RunState<P>) => void)[] = [];
  let follower: Follower<P> | undefined;
  /** Whether to start again when the aborted run has ended, which happens within the current task. */
  let isWanted = false;
  const published = new PublishedValue<RunState<P>>(() => follower?.state ?? IDLE, {
    joined: () => start(),
    left: () => options.keepAlive !== true && abort("the last subscriber left"),
  });

  const begin = (): void => {
    const begun: Follower<P> = new Follower((isFinal) => {
      if (isFinal && isWanted) {
        isWanted = false;
        begin();
      } else if (isFinal) {
        published.now();
        waiting.splice(0).forEach((resolve) => resolve(published.value));
      } else {
        published.soon();
      }
    });
    follower = begun;
    published.now();
    void begun.follow(source);
  };
  const start = (): void => {
    follower === undefined && begin();
  };
  const abort = (reason?: unknown): void => {
    isWanted = false;
    follower?.abort(reason);
  };
  const retry = (): boolean => {
    const isUnderWay = follower?.isOver === false;
    const isFree = !isUnderWay || (follower!.signal.aborted && !isWanted);
    if (!isFree || (typeof source !== "function" && follower !== undefined)) {
      return false;
    }
    isUnderWay ? (isWanted = true) : begin();
    return true;
  };
  const finished = (): Promise<RunState<P>> =>
    follower?.isOver === true ? Promise.resolve(published.value) : new Promise((resolve) => waiting.push(resolve));

  return {
    subscribe: (listener) => published.subscribe(listener),
    getSnapshot: () => published.value,
    getServerSnapshot: () => IDLE,
    start,
    abort,
    retry,
    finished,
    async [Symbol.asyncDispose]() {
      abort("the last subscriber left");
      await (follower && finished());
    },
  };
}
