// The content of a thread: the differences between a conversation and an answer.

import type { RunScript } from "./driver.js";
import type { RunForm } from "./followers.js";
import type { Awaitable } from "../../stores/log_store.js";
import type { NewEvent, NewStoredMessage, StoredRun, ThreadState, UserStore } from "./store.js";
import type { ThreadLog } from "./thread_log.js";
import type { FollowedRun, ThreadOptions } from "./thread_options.js";

/** The content of a thread. */
export abstract class ThreadKind {
  protected readonly threadId: string;
  protected readonly store: ThreadLog;
  protected readonly users: UserStore;
  protected readonly options: ThreadOptions;

  constructor(threadId: string, store: ThreadLog, users: UserStore, options: ThreadOptions) {
    [this.threadId, this.store, this.users, this.options] = [threadId, store, users, options];
  }

  /** The number of entries at the end of a run that are not sent. */
  abstract readonly unsent: number;
  /** Returns the id of the run that the body of a request starts. */
  abstract runIdIn(body: string): string;
  /** Returns whether the run of a body counts for the limit of its user's runs. */
  isLimited(_body: string): boolean {
    return true;
  }

  /** Returns the messages of the body that are stored with the run. */
  abstract messagesIn(body: string, at: number): Promise<readonly NewStoredMessage[]>;
  /**
   * Returns the messages that are stored with the end of a run; `latest` are the entries that are
   * stored with them.
   */
  abstract messagesOf(
    runId: string,
    latest: readonly NewEvent[],
  ): Promise<readonly NewStoredMessage[]>;
  /** Returns the rules for the entries of a run. */
  abstract script(run: StoredRun, hasBegun: boolean): Awaitable<RunScript>;
  /** Starts the agent. */
  abstract start(
    run: StoredRun,
    thread: ThreadState,
  ): Promise<(signal: AbortSignal) => AsyncIterable<string>>;
  /** Returns the form in which a run is read. */
  abstract form(run: StoredRun, generation: string, followed: FollowedRun): Awaitable<RunForm>;
  /** Reports a run that is about to start, or has ended, to the store of users. */
  abstract report(owner: string): Awaitable<void>;
  /** Removes from the store of users what was reported, before the thread is deleted. */
  abstract withdraw(owner: string): Awaitable<void>;
  /** Keeps the log within its limits; returns the time at which to continue, if there is one. */
  abstract retain(now: number, isRead: () => boolean, owner: string): Promise<number | undefined>;
}
