// The threads of a store, in this process.

import { pause, unref } from "../../core/timers.js";
import { type LogStore, watchedName } from "../../stores/log_store.js";
import { isAnswerId } from "./answer_thread.js";
import { Processes } from "./processes.js";
import { ThreadLog } from "./thread_log.js";
import { StoredUsers, countByProcess, countInMemory, listed } from "./users.js";
import { Thread, type ThreadMethod, type ThreadResult, isEnding } from "./thread.js";
import type { FollowedRun, ThreadOptions } from "./thread_options.js";

/**
 * Milliseconds between two looks for work, unless other processes, which may be killed, use the
 * store.
 */
const SWEEP = 3_600_000;
/**
 * Milliseconds before the work of a thread is repeated after an error of the store: at first,
 * doubled after each further error, and at most.
 */
const RETRY_DELAYS_MS = { first: 500, most: 15_000 };

/** Milliseconds between two looks whether the runs of a process that is about to end have ended. */
const ENDING = 20;

/**
 * The threads of a service, in this process or in others. Threads in other processes receive their
 * names in lower case.
 */
export interface RunsThreads {
  /** Calls a method of a thread. The values are JSON. */
  call<M extends ThreadMethod>(
    threadId: string,
    method: M,
    ...values: Parameters<Thread[M]>
  ): Promise<ThreadResult<M>>;
  /** Returns the events of a run of a thread. */
  events(threadId: string, run: FollowedRun, signal: AbortSignal): Promise<Response>;
  /** Returns the thread of the user's latest message. */
  latestThread(user: string): Promise<string | undefined>;
  /**
   * Returns the user's list of A2A tasks and running answers of chats; undefined if the store has
   * none.
   */
  tasks(user: string): Promise<readonly (readonly [threadId: string, task: string])[] | undefined>;
  /** Sets an entry of the list; null removes it. */
  setTask(user: string, threadId: string, task: string | null): Promise<void>;
}

/** Threads in this process. */
export class LocalThreads implements RunsThreads {
  readonly #store: LogStore;
  /** The processes of a store that several use. */
  readonly #processes: Processes | undefined;
  readonly #users: StoredUsers;
  readonly #options: Omit<ThreadOptions, "schedule" | "onAccepted" | "onIdle">;
  /** The threads in memory, with the number of calls that use them. */
  readonly #threads = new Map<
    string,
    { readonly thread: Thread; calls: number; timer: ReturnType<typeof setTimeout> | undefined }
  >();
  /**
   * The number of times in a row that the work of a thread has failed, and whether it is about to
   * be repeated.
   */
  readonly #failures = new Map<string, { readonly count: number; isWaiting: boolean }>();
  readonly #sweeping: ReturnType<typeof setInterval>;
  /** The time of the last look for answers whose life has ended. */
  #lookedForAnswers = 0;
  #isClosing = false;
  #isClosed = false;

  constructor(store: LogStore, options: Omit<ThreadOptions, "schedule" | "onAccepted" | "onIdle">) {
    this.#store = store;
    this.#processes = store.watch === undefined ? undefined : new Processes(store);
    const count =
      this.#processes === undefined ? countInMemory() : countByProcess(store, this.#processes);
    this.#users = new StoredUsers(store, count);
    // The store may be closed after this service.
    this.#options = {
      ...options,
      onError: (error) => void (this.#isClosed || options.onError(error)),
    };
    void this.#sweep();
    this.#sweeping = setInterval(
      () => void this.#sweep(),
      this.#processes === undefined ? SWEEP : this.#processes.leaseMs / 2,
    );
    // In Node a timer keeps the process running, unless it is unreferenced.
    unref(this.#sweeping);
  }

  async call<M extends ThreadMethod>(
    threadId: string,
    method: M,
    ...values: Parameters<Thread[M]>
  ): Promise<ThreadResult<M>> {
    return method === "create" && this.#isClosing
      ? (isEnding as ThreadResult<M>)
      : this.#use(threadId, (thread) => thread.call(method, values));
  }

  events(threadId: string, run: FollowedRun, signal: AbortSignal): Promise<Response> {
    return this.#use(threadId, (thread) => thread.events(run, signal));
  }

  async latestThread(user: string): Promise<string | undefined> {
    return this.#users.latestThread(user);
  }

  tasks(user: string): Promise<readonly (readonly [threadId: string, task: string])[]> {
    return this.#users.tasks(user);
  }

  async setTask(user: string, threadId: string, task: string | null): Promise<void> {
    await this.#users.setTask(user, threadId, task);
  }

  /**
   * Accepts no more runs, waits so many milliseconds for those in progress, and stops the work: the
   * others are recovered by another process.
   */
  async close(waitMs: number): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#sweeping);
    const end = Date.now() + waitMs;
    while (Date.now() < end && [...this.#threads.values()].some(({ thread }) => thread.isWorking)) {
      await pause(ENDING);
    }
    this.#isClosed = true;
    [...this.#threads.keys()].forEach((threadId) => this.#drop(threadId));
    await this.#processes?.close();
  }

  /**
   * Starts the work of the threads that have some: after a start or a loss of a process, and when
   * logs have become old.
   */
  async #sweep(): Promise<void> {
    const { logMs, answerMs, taskMs } = this.#options.retention;
    const now = Date.now();
    try {
      await this.#workBefore(now - logMs);
      if (now - this.#lookedForAnswers >= SWEEP) {
        this.#lookedForAnswers = now;
        await this.#workBefore(now - Math.min(answerMs, taskMs), isAnswerId);
        await this.#processes?.clean();
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /**
   * Starts the work of the threads that have an active run which no living process drives, or a run
   * that has ended, was created before `time` and is not shortened.
   */
  async #workBefore(time: number, isSought: (threadId: string) => boolean = () => true) {
    for await (const { log, head } of listed(this.#store, { due: time })) {
      const threadId = watchedName(log);
      if (threadId !== log) {
        await new ThreadLog(this.#store, threadId, this.#processes).removeUnrecorded(log);
        continue;
      }
      const { by } = JSON.parse(head.data) as { readonly by?: string };
      const isDriven = by !== undefined && (await this.#processes?.isAlive(by));
      if (isSought(log) && !isDriven && !this.#isClosed) {
        this.#work(log);
      }
    }
  }

  async #use<T>(threadId: string, call: (thread: Thread) => Promise<T>): Promise<T> {
    const entry = this.#entry(threadId);
    entry.calls++;
    try {
      return await call(entry.thread);
    } finally {
      entry.calls--;
      this.#release(threadId);
    }
  }

  #entry(threadId: string) {
    const known = this.#threads.get(threadId);
    if (known !== undefined) {
      return known;
    }
    const log = new ThreadLog(this.#store, threadId, this.#processes);
    const thread = new Thread(threadId, log, this.#users, {
      ...this.#options,
      failures: this.#failures.get(threadId)?.count,
      onAccepted: () => void this.#failures.delete(threadId),
      schedule: (at) => this.#schedule(threadId, at),
      onIdle: () => this.#release(threadId),
    });
    const entry = { thread, calls: 0, timer: undefined };
    this.#threads.set(threadId, entry);
    return entry;
  }

  /** Removes a thread from memory, unless it is in use. */
  #release(threadId: string): void {
    const entry = this.#threads.get(threadId);
    if (
      entry !== undefined &&
      entry.calls === 0 &&
      entry.timer === undefined &&
      entry.thread.isIdle
    ) {
      this.#drop(threadId);
    }
  }

  /** Removes a thread from memory, and closes its connections. */
  #drop(threadId: string): void {
    const entry = this.#threads.get(threadId);
    clearTimeout(entry?.timer);
    this.#threads.delete(threadId);
    entry?.thread.close();
  }

  #schedule(threadId: string, at: number): void {
    const entry = this.#threads.get(threadId);
    // The sweep finds work that is due later.
    if (entry !== undefined && at - Date.now() < SWEEP) {
      clearTimeout(entry.timer);
      entry.timer = setTimeout(
        () => {
          entry.timer = undefined;
          this.#work(threadId);
        },
        Math.max(0, at - Date.now()),
      );
    }
  }

  #work(threadId: string): void {
    if (this.#isClosed || this.#failures.get(threadId)?.isWaiting) {
      return;
    }
    const failed = (error: unknown): void => {
      this.#options.onError(error);
      if (this.#isClosed) {
        return;
      }
      const count = (this.#failures.get(threadId)?.count ?? 0) + 1;
      const failures = { count, isWaiting: true };
      this.#failures.set(threadId, failures);
      // The next object of the thread recovers its run.
      this.#drop(threadId);
      const again = (): void => {
        failures.isWaiting = false;
        this.#work(threadId);
      };
      unref(
        setTimeout(again, Math.min(RETRY_DELAYS_MS.first * 2 ** (count - 1), RETRY_DELAYS_MS.most)),
      );
    };
    this.#use(threadId, (thread) => thread.work()).then(
      () => this.#failures.delete(threadId),
      failed,
    );
  }
}
