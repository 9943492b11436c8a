// One run as a store: what a page subscribes to.

import { knownOptions } from "../option_names.js";
import type { DefaultProtocol } from "../generated.js";
import type { AnyProtocol } from "../outcome.js";
import { Follower, type RunSource } from "./follower.js";
import { Published } from "./published.js";
import { IDLE, type RunState } from "./state.js";

/** How a store behaves. */
export interface StoreOptions {
  /** Whether a run goes on when the last subscriber has left. It is aborted otherwise. */
  readonly keepAlive?: boolean | undefined;
}

/** A run as a store. Its functions can be handed on by themselves. */
export interface RunStore<P extends AnyProtocol = DefaultProtocol> extends AsyncDisposable {
  /**
   * Calls `listener` after each change: at most once per frame, and at once when the run is over. The first subscriber starts
   * the run. When the last one has left and none has come by the next task, the run is aborted, unless it is to be kept.
   *
   * @returns what ends the subscription
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** The state that was told last: the same object until the next call of the listeners. */
  readonly getSnapshot: () => RunState<P>;
  /** The state on a server, and in a page that takes over what a server has drawn: nothing was started. */
  readonly getServerSnapshot: () => RunState<P>;
  /** Starts the run, if it was not. */
  readonly start: () => void;
  /** Stops the run; what has come stays. */
  readonly abort: (reason?: unknown) => void;
  /**
   * Begins again, by calling the function that makes a run once more. A store never does that by itself: a request that was
   * sent may have had effects. Right after `abort` it begins as soon as the run that was aborted has ended.
   *
   * Returns false, and asks nothing, while a run is under way that was not aborted, or if the store was given a run and no function. It
   * never throws.
   */
  readonly retry: () => boolean;
  /** Resolves to the last state of the run, once it is over, however it ended; it never rejects. It starts nothing. */
  readonly finished: () => Promise<RunState<P>>;
}

/**
 * A run as a store, for what draws a page: `subscribe` and `getSnapshot` are what React's `useSyncExternalStore` takes, and
 * what adapters for other frameworks need. It needs no page, and draws on a server what it is before it begins.
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
 * @param source what makes a run, or a run that nobody reads yet
 */
export function createRunStore<P extends AnyProtocol = DefaultProtocol>(source: RunSource<P>, options: StoreOptions = {}): RunStore<P> {
  knownOptions("createRunStore()", options, ["keepAlive"]);
  const waiting: ((state: RunState<P>) => void)[] = [];
  let follower: Follower<P> | undefined;
  /** To begin again once the run that was aborted has ended, which takes no more than this task. */
  let isWanted = false;
  const published = new Published<RunState<P>>(() => follower?.state ?? IDLE, {
    joined: () => start(),
    left: () => options.keepAlive !== true && abort("nobody looks at it any more"),
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
      abort("nobody looks at it any more");
      await (follower && finished());
    },
  };
}
