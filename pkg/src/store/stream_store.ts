// A stream as a store that a page subscribes to.

import { knownOptions } from "../core/arguments.js";
import type { DefaultProtocol } from "../generated/contract.js";
import type { AnyProtocol } from "../core/outcome.js";
import { StreamFollower, type StreamSource } from "./stream_follower.js";
import { PublishedValue } from "./published_value.js";
import { IDLE, type StreamState } from "./state.js";

/** The options of a store. */
export interface StreamStoreOptions {
  /**
   * Whether the run continues when the last subscriber leaves: false by default, which stops it.
   */
  readonly keepAlive?: boolean | undefined;
}

/** A run as a store. Its functions do not depend on `this`. */
export interface StreamStore<P extends AnyProtocol = DefaultProtocol> extends AsyncDisposable {
  /**
   * Calls `listener` after each change: at most once per frame, and immediately when the run ends.
   * The first subscription starts the run. When the last subscriber leaves and none follows until
   * the next task, the stream is stopped, unless `keepAlive` is true.
   *
   * @returns a function that ends the subscription
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the state of the last notification, which is the same object until the next one. */
  readonly getSnapshot: () => StreamState<P>;
  /** Returns the state for server rendering and hydration: that of a run that has not started. */
  readonly getServerSnapshot: () => StreamState<P>;
  /** Starts the run, unless it has started. */
  readonly start: () => void;
  /** Stops the stream. The snapshot so far is kept. */
  readonly stop: (reason?: unknown) => void;
  /**
   * Starts the run again by calling the function that starts it. A store never retries
   * automatically, because a request may have had effects. Right after `stop`, the new one starts
   * when the stopped one has ended.
   *
   * Returns false, and sends no request, while a stream is in progress that was not stopped, or if
   * the store was created with a run instead of a function. Never throws.
   */
  readonly retry: () => boolean;
  /**
   * Resolves to the last state of the run when it has ended in any way. Never rejects, and does not
   * start the run.
   */
  readonly finished: () => Promise<StreamState<P>>;
}

/**
 * Creates a store for a run: `subscribe` and `getSnapshot` fit React's `useSyncExternalStore` and
 * adapters of other frameworks. It does not depend on a page, and renders on a server in the state
 * before the run starts.
 *
 * ```js
 * import { init, read } from "agentwire/reader";
 * import { createStreamStore } from "agentwire/store";
 *
 * const store = createStreamStore(async (signal) => {
 *   await init();
 *   return read(fetch("/process", { method: "POST", headers, body, signal }), { signal });
 * });
 * const leave = store.subscribe(() => draw(store.getSnapshot())); // starts it
 * ```
 *
 * @param source a function that starts a run, or a run that is not being read
 */
export function createStreamStore<P extends AnyProtocol = DefaultProtocol>(
  source: StreamSource<P>,
  options: StreamStoreOptions = {},
): StreamStore<P> {
  knownOptions("createStreamStore()", options, ["keepAlive"]);
  const waiting: ((state: StreamState<P>) => void)[] = [];
  let follower: StreamFollower<P> | undefined;
  /**
   * Whether to start again when the stopped one has ended, which happens within the current task.
   */
  let isWanted = false;
  const published = new PublishedValue<StreamState<P>>(() => follower?.state ?? IDLE, {
    subscribed: () => start(),
    unsubscribed: () => options.keepAlive !== true && stop("the last subscriber left"),
  });

  const begin = (): void => {
    const begun: StreamFollower<P> = new StreamFollower((isFinal) => {
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
    if (follower === undefined) {
      begin();
    }
  };
  const stop = (reason?: unknown): void => {
    isWanted = false;
    follower?.abort(reason);
  };
  const retry = (): boolean => {
    const isUnderWay = follower?.isOver === false;
    const isFree = !isUnderWay || (follower!.signal.aborted && !isWanted);
    if (!isFree || (typeof source !== "function" && follower !== undefined)) {
      return false;
    }
    if (isUnderWay) {
      isWanted = true;
    } else {
      begin();
    }
    return true;
  };
  const finished = (): Promise<StreamState<P>> =>
    follower?.isOver === true
      ? Promise.resolve(published.value)
      : new Promise((resolve) => waiting.push(resolve));

  return {
    subscribe: (listener) => published.subscribe(listener),
    getSnapshot: () => published.value,
    getServerSnapshot: () => IDLE,
    start,
    stop,
    retry,
    finished,
    async [Symbol.asyncDispose]() {
      stop("the last subscriber left");
      await (follower && finished());
    },
  };
}
