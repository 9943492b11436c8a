// One thread: its log and its messages, its followers, and the agent while it runs.

import { within } from "../../core/timers.js";
import { AnswerThread, isAnswerId } from "./answer_thread.js";
import { INTERRUPTED, RunDriver, endingOf } from "./driver.js";
import { StoreError } from "../../stores/store_error.js";
import { RunFollowers } from "./followers.js";
import { type RunsRefusal, refuse } from "./refusal.js";
import { RENEWAL } from "./counts.js";
import type {
  CountKind,
  HistoryPage,
  LatestMessages,
  StoredRun,
  ThreadState,
  UserStore,
} from "./store.js";
import { Conversation } from "./conversation.js";
import type { ThreadKind } from "./thread_kind.js";
import type { ThreadLog } from "./thread_log.js";
import type { FollowedRun, ThreadOptions } from "./thread_options.js";

/**
 * The number of failures of a thread's work after which its run ends without what the store does
 * not accept: the messages, and if it accepts nothing, also the end, which its followers then
 * receive without it.
 */
const FAILURES = 4;
/** The maximum number of starts of a run that was killed before its first event. */
const ATTEMPTS = 3;
/** Milliseconds in which changes of the number of connections are sent together. */
const MOMENT = 50;
/** The maximum number of characters of the messages in one answer. */
const HISTORY_PAGE = 1024 * 1024;

const notOwner: RunsRefusal = {
  refused: "AGENT_FORBIDDEN",
  detail: "the thread belongs to another user",
};
const noThread: RunsRefusal = {
  refused: "AGENT_SESSION_NOT_FOUND",
  detail: "there is no such thread",
};
const isActive: RunsRefusal = {
  refused: "AGENT_SESSION_RUN_LIMIT_EXCEEDED",
  detail: "the thread has an active run",
  retryAfter: 1,
};
export const isEnding: RunsRefusal = {
  refused: "AGENT_STORAGE_UNAVAILABLE",
  detail: "the process is about to end",
  retryAfter: 1,
};
const tooManyConnections: RunsRefusal = {
  refused: "AGENT_SSE_CONNECTION_LIMIT",
  detail: "the thread has too many event connections",
  retryAfter: 5,
};
const noRun: RunsRefusal = { refused: "AGENT_RUN_NOT_FOUND", detail: "the thread has no such run" };

/** A request for a run. */
export interface NewThreadRun {
  readonly owner: string;
  /** The URL of the endpoints. */
  readonly base: string;
  /** The body, normalized, and its hash. */
  readonly input: string;
  readonly hash: string;
  /** The idempotency key. */
  readonly key: string | null;
}

/** The answer to a request for a run. */
export interface CreatedRun {
  readonly taskId: string;
  readonly created: boolean;
}

/** The entries of a run, as far as they are stored. */
export interface RunEntries {
  /** The body of the request. */
  readonly input: string;
  readonly hasEnded: boolean;
  readonly entries: readonly { readonly number: number; readonly data: string }[];
}

/** A method of a thread that the service calls, possibly in another process, and its result. */
export type ThreadMethod =
  | "create"
  | "repeated"
  | "cancel"
  | "mayWrite"
  | "mayFollow"
  | "messages"
  | "turns"
  | "record"
  | "delete"
  | "history"
  | "entries"
  | "next";
export type ThreadResult<M extends ThreadMethod> = Awaited<ReturnType<Thread[M]>>;

/** A run in progress. */
interface Driving {
  readonly runId: string;
  readonly owner: string;
  readonly driver: RunDriver;
  hasStarted: boolean;
  /** Whether its agent is counted independently of the run. */
  isKept: boolean;
}

/**
 * A thread. At most one object per thread exists at a time in a process, and if its store has one
 * process, at all.
 */
export class Thread {
  readonly #id: string;
  readonly #store: ThreadLog;
  readonly #users: UserStore;
  readonly #options: ThreadOptions;
  readonly #kind: ThreadKind;
  readonly #followers: RunFollowers;
  readonly #ready: Promise<void>;
  /** Whether the store has failed before the first call: then the thread must be replaced. */
  hasFailed = false;
  /** The number of times in a row that the work of the run, or of the one before it, has failed. */
  #failures: number;
  #state: ThreadState | undefined;
  #driver: Driving | undefined;
  /** The number of connections that are being opened. */
  #opening = 0;
  #sending: ReturnType<typeof setTimeout> | undefined;
  #renewing: ReturnType<typeof setTimeout> | undefined;
  /** Whether this process works on the thread, and whether there may be more work afterwards. */
  #isWorking = false;
  #hasMore = false;
  #isClosed = false;
  /**
   * The reports of changes by other processes: a function that ends them, the update in progress,
   * and whether it must be repeated.
   */
  #watching: Promise<() => void> | undefined;
  #isUpdating = false;
  #hasNews = false;
  /** The report to the lists of the user that is in progress, and the number of deletions. */
  #reporting: Promise<unknown> | undefined;
  #deletions = 0;

  constructor(threadId: string, store: ThreadLog, users: UserStore, options: ThreadOptions) {
    [this.#id, this.#store, this.#users, this.#options] = [threadId, store, users, options];
    this.#failures = options.failures ?? 0;
    this.#kind = new (isAnswerId(threadId) ? AnswerThread : Conversation)(
      threadId,
      store,
      users,
      options,
    );
    this.#followers = new RunFollowers(store, options.limits.keepAliveMs, () =>
      this.#connectionsChanged(),
    );
    this.#ready = this.#begin();
    // Each call waits for it, and throws its error.
    this.#ready.catch(() => (this.hasFailed = true));
  }

  /** Whether the thread has no connection and no agent. */
  get isIdle(): boolean {
    return (
      this.#driver === undefined &&
      this.#followers.open + this.#opening === 0 &&
      this.#sending === undefined
    );
  }

  /** Whether this process drives a run, recovers one, or shortens logs. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Calls a method by its name. */
  call<M extends ThreadMethod>(method: M, values: Parameters<Thread[M]>): Promise<ThreadResult<M>> {
    return (this[method] as (...values: unknown[]) => Promise<ThreadResult<M>>)(...values);
  }

  /**
   * Stores the messages of the request, and queues the run: when this has resolved, both are
   * durable.
   */
  async create({
    owner,
    base,
    input: body,
    hash,
    key,
  }: NewThreadRun): Promise<RunsRefusal | CreatedRun> {
    await this.#ready;
    await this.#read();
    const runId = this.#kind.runIdIn(body);
    const known = await this.#known(owner, runId, hash, key);
    if (known !== undefined) {
      return known;
    }
    const runs = await this.#count(owner, "runs", 1);
    if (runs > this.#options.limits.userRuns && this.#kind.isLimited(body)) {
      await this.#reportRuns(owner);
      return {
        refused: "AGENT_RATE_LIMIT_EXCEEDED",
        detail: "the user has too many active runs",
        retryAfter: 5,
      };
    }
    const isNew = this.#state === undefined;
    const taskId = crypto.randomUUID();
    const at = Date.now();
    const add = async (): Promise<boolean> => {
      const messages = await this.#kind.messagesIn(body, at);
      return this.#store.addRun({
        owner,
        base,
        runId,
        taskId,
        hash,
        key,
        input: body,
        at,
        messages,
      });
    };
    const isAdded = await add().catch(async (error: unknown) => {
      await this.#reportRuns(owner).catch(this.#options.onError);
      throw error;
    });
    if (!isAdded) {
      // The same request, or another one, was faster.
      await this.#read();
      await this.#reportRuns(owner);
      return (await this.#known(owner, runId, hash, key)) ?? isActive;
    }
    // The failures were those of an earlier run.
    this.#failures = 0;
    this.#options.onAccepted?.();
    await this.#read();
    await this.#options.schedule(at);
    return { taskId, created: isNew };
  }

  /**
   * Returns the answer to a request that does not start a run, as {@link create} does; null for one
   * that would start a run.
   */
  async repeated({
    owner,
    input,
    hash,
    key,
  }: NewThreadRun): Promise<RunsRefusal | CreatedRun | null> {
    await this.#ready;
    await this.#read();
    return (await this.#known(owner, this.#kind.runIdIn(input), hash, key)) ?? null;
  }

  /**
   * Returns the answer to a request that does not start a run: it is refused, or repeats an earlier
   * one.
   */
  async #known(
    owner: string,
    runId: string,
    hash: string,
    key: string | null,
  ): Promise<RunsRefusal | CreatedRun | undefined> {
    if (this.#state === undefined) {
      return undefined;
    }
    if (this.#state.owner !== owner) {
      return notOwner;
    }
    const known = this.#store.run(runId) ?? (key === null ? undefined : this.#store.runOfKey(key));
    if (known !== undefined) {
      return known.hash === hash
        ? { taskId: known.taskId, created: known.created }
        : {
            refused: "AGENT_IDEMPOTENCY_CONFLICT",
            detail: "this run, or this idempotency key, was used with another body",
          };
    }
    return this.#store.active() === undefined ? undefined : isActive;
  }

  /** Cancels the run, which has stopped when its terminal event is in the log. */
  async cancel(
    owner: string,
    id: string | null,
  ): Promise<RunsRefusal | { readonly accepted: true }> {
    const runId = id ?? (await this.#latest());
    const refusal = await this.#refusal(owner, runId);
    if (refusal !== undefined) {
      return refusal;
    }
    await this.#store.setCancelled(runId);
    if (this.#driver?.runId === runId) {
      this.#driver.driver.cancel();
    }
    return { accepted: true };
  }

  /**
   * Returns a refusal if the user must not upload for the thread. Uploads before the first run are
   * allowed.
   */
  async mayWrite(owner: string): Promise<RunsRefusal | undefined> {
    await this.#ready;
    const state = await this.#read();
    return state === undefined || state.owner === owner ? undefined : notOwner;
  }

  /** Returns a refusal if the user must not follow the run, or any run with null. */
  mayFollow(owner: string, runId: string | null): Promise<RunsRefusal | undefined> {
    return this.#refusal(owner, runId ?? undefined);
  }

  /** Returns the messages of the thread, as JSON. */
  async messages(owner: string): Promise<RunsRefusal | LatestMessages> {
    return (await this.#refusal(owner)) ?? this.#store.latestMessages(Infinity);
  }

  /** Returns the latest messages of the thread, as JSON, with so many characters at most. */
  async turns(owner: string, limit: number): Promise<RunsRefusal | LatestMessages> {
    return (await this.#refusal(owner)) ?? this.#store.latestMessages(limit);
  }

  /** Stores a turn of a conversation, like {@link create}, also in a process that is about to end. */
  record(run: NewThreadRun): Promise<RunsRefusal | CreatedRun> {
    return this.create(run);
  }

  /** Deletes the thread, and stops its agent. Returns the messages that it had, as JSON. */
  async delete(owner: string): Promise<RunsRefusal | { readonly messages: readonly string[] }> {
    const refusal = await this.#refusal(owner);
    if (refusal !== undefined) {
      return refusal;
    }
    const user = this.#state!.owner;
    this.#deletions++;
    try {
      await this.#stop();
      await this.#reporting?.catch(() => {});
      const { messages } = await this.#store.latestMessages(Infinity);
      await this.#kind.withdraw(user);
      await this.#store.delete();
      if ((await this.#read()) === undefined) {
        // Another process may have reported its run meanwhile.
        await this.#kind.withdraw(user);
      }
      await this.#count(owner, "runs", 0);
      return { messages };
    } finally {
      this.#deletions--;
    }
  }

  /** Returns the messages of one day, or a part of them. */
  async history(
    owner: string,
    before: string,
    beforeSeq: number,
  ): Promise<RunsRefusal | HistoryPage> {
    return (await this.#refusal(owner)) ?? this.#store.history(before, beforeSeq, HISTORY_PAGE);
  }

  /**
   * Returns the events of a run; a response of status 204 if none follow the cursor, or a refusal.
   */
  async events(run: FollowedRun, signal: AbortSignal): Promise<Response> {
    const answer = await this.#events(run, signal).catch((error: unknown) =>
      this.#unstored(run, error),
    );
    return "refused" in answer ? refuse(answer) : answer;
  }

  async #events(followedRun: FollowedRun, signal: AbortSignal): Promise<RunsRefusal | Response> {
    const { owner, cursor, after: place, idleLimit } = followedRun;
    await this.#watch();
    const runId = followedRun.runId ?? (await this.#latest());
    const refusal = await this.#refusal(owner, runId);
    if (refusal !== undefined) {
      return refusal;
    }
    // Another process may delete the thread at any time.
    const [state, followed] = [this.#state, this.#store.run(runId)];
    if (state === undefined || followed === undefined) {
      return noThread;
    }
    const { generation, owner: user } = state;
    const after =
      place === undefined
        ? this.#followers.placeOf(cursor, generation)
        : this.#followers.placeAt(place);
    if (after === undefined) {
      return {
        refused: "AGENT_INVALID_LAST_EVENT_ID",
        detail: "the Last-Event-ID is no cursor of this thread",
      };
    }
    const { terminal, status } = followed;
    if (terminal !== null && terminal - this.#kind.unsent <= after) {
      return new Response(null, { status: 204 });
    }
    if (status === "expired") {
      const detail = "the events of the run are not kept any more; the history has its messages";
      return { refused: "AGENT_RUN_EXPIRED", detail };
    }
    const form = await this.#kind.form(followed, generation, followedRun);
    const { threadConnections, userConnections } = this.#options.limits;
    const isTooMuch = this.#followers.open + ++this.#opening > threadConnections;
    try {
      const all = isTooMuch
        ? 0
        : await this.#count(user, "connections", this.#followers.open + this.#opening);
      if (isTooMuch || all > userConnections) {
        this.#connectionsChanged();
        const detail = `the ${isTooMuch ? "thread" : "user"} has too many event connections`;
        return { refused: "AGENT_SSE_CONNECTION_LIMIT", detail, retryAfter: 5 };
      }
    } finally {
      this.#opening--;
    }
    if (this.#state?.generation !== generation) {
      return noThread;
    }
    const stream = this.#followers.stream(runId, form, { after, idleLimit }, signal);
    this.#renew();
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  }

  /**
   * Returns the stored events of a run and its end, if the store has often refused the end;
   * otherwise throws the error.
   */
  async #unstored(
    { runId: id, owner, cursor, after: place, ...followedRun }: FollowedRun,
    error: unknown,
  ): Promise<RunsRefusal | Response> {
    if (!this.hasFailed || this.#failures < FAILURES) {
      throw error;
    }
    const [state, run] = [await this.#store.state(), this.#store.active()];
    if (state === undefined || run === undefined || (id !== null && id !== run.runId)) {
      throw error;
    }
    if (owner !== undefined && state.owner !== "" && state.owner !== owner) {
      return notOwner;
    }
    this.#followers.durable = state.last;
    const after =
      (place === undefined
        ? this.#followers.placeOf(cursor, state.generation)
        : this.#followers.placeAt(place)) ?? 0;
    const { runId } = run;
    const stored = await this.#store.read(
      runId,
      0,
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
    );
    const script = await this.#kind.script(run, stored.length > 0);
    const ending = await endingOf(script, INTERRUPTED);
    script.free?.();
    const entries = [
      ...stored.filter(({ number }) => number > after),
      ...ending.map((entry, at) => ({ number: state.last + 1 + at, runId, ...entry })),
    ];
    const form = await this.#kind.form(run, state.generation, {
      runId,
      owner,
      cursor,
      after: place,
      ...followedRun,
    });
    const { text } = form.write(runId, after, entries);
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  }

  /**
   * Returns the entries of a run: those of now, the first one when it is stored, or all of them
   * when the run has ended.
   */
  async entries(
    owner: string,
    id: string | null,
    until: "now" | "first" | "end",
  ): Promise<RunsRefusal | RunEntries> {
    await this.#watch();
    const runId = id ?? (await this.#latest());
    for (;;) {
      const refusal = await this.#refusal(owner, runId);
      if (refusal !== undefined) {
        return refusal;
      }
      if (this.#isClosed) {
        return isEnding;
      }
      const more = this.#followers.more();
      // Another process may delete the thread at any time.
      const run = this.#store.run(runId);
      const hasEnded = run !== undefined && run.terminal !== null;
      const entries =
        run === undefined || (until === "end" && !hasEnded)
          ? undefined
          : await this.#store.read(
              runId,
              0,
              Number.MAX_SAFE_INTEGER,
              until === "first" ? 1 : Number.MAX_SAFE_INTEGER,
            );
      if (entries !== undefined && (until !== "first" || entries.length > 0)) {
        return {
          input: await this.#store.input(runId),
          hasEnded,
          entries: entries.map(({ number, data }) => ({ number, data })),
        };
      }
      if (run !== undefined) {
        await more;
      }
    }
  }

  /**
   * Returns the run after another one, or the latest one if that is null or not known; null if there
   * is none within so many milliseconds. A thread that does not exist can begin.
   */
  async next(
    owner: string,
    after: string | null,
    waitMs: number,
  ): Promise<RunsRefusal | { readonly runId: string | null }> {
    await this.#watch();
    const until = Date.now() + waitMs;
    for (;;) {
      const refusal = await this.#refusal(owner);
      if (refusal !== undefined && refusal !== noThread) {
        return refusal;
      }
      if (this.#isClosed) {
        return isEnding;
      }
      const more = this.#followers.more();
      const runs = [...this.#store.ended(), ...[this.#store.active() ?? []].flat()];
      const at = runs.findIndex(({ runId }) => runId === after);
      const runId = (at < 0 ? runs.at(-1) : runs[at + 1])?.runId;
      const left = until - Date.now();
      if (runId !== undefined || left <= 0) {
        return { runId: runId ?? null };
      }
      if (this.#followers.open + this.#opening >= this.#options.limits.threadConnections) {
        return tooManyConnections;
      }
      this.#opening++;
      await within(more, left, () => undefined);
      this.#opening--;
    }
  }

  /**
   * Recovers a run whose process was killed, drives the queued run, and then keeps the log within
   * its limits. Rejects if the store fails: then the thread must be replaced.
   */
  async work(): Promise<void> {
    await this.#ready;
    this.#hasMore = true;
    if (this.#isWorking) {
      return;
    }
    this.#isWorking = true;
    try {
      while (this.#hasMore && (await this.#read()) !== undefined) {
        this.#hasMore = false;
        const { generation } = this.#state!;
        try {
          await this.#work();
        } catch (error) {
          // Another process may delete the thread at any time.
          if ((await this.#read())?.generation === generation) {
            throw error;
          }
          this.#hasMore = true;
        }
      }
    } finally {
      this.#isWorking = false;
    }
    this.#idle();
  }

  async #work(): Promise<void> {
    if (!(await this.#store.mayDrive())) {
      return;
    }
    await this.#recover();
    const owner = this.#state?.owner;
    if (owner !== undefined) {
      await this.#drive(owner);
      await this.#retain(owner);
    }
  }

  /**
   * Closes the connections, whose clients resume, and stops the agent, whose run the next object of
   * the thread recovers.
   */
  close(): void {
    this.#isClosed = true;
    void this.#stop();
    this.#watching?.then(
      (end) => end(),
      () => {},
    );
    this.#watching = undefined;
  }

  /** Resolves when the agent is counted independently of its run. */
  async #stop(): Promise<void> {
    const driving = this.#driver;
    this.#followers.close();
    driving?.driver.abandon();
    await this.#keepPlace(driving);
  }

  /**
   * Counts an agent that has lost its run until it has left, so that its user does not start others
   * meanwhile.
   */
  async #keepPlace(driving: Driving | undefined): Promise<void> {
    if (driving === undefined || !driving.hasStarted || driving.isKept || driving.driver.hasLeft) {
      return;
    }
    driving.isKept = true;
    const { owner, driver } = driving;
    const place = `${this.#id}/${crypto.randomUUID()}`;
    const count = (agents: number): Promise<unknown> =>
      this.#count(owner, "runs", agents, place).catch(this.#options.onError);
    await count(1);
    void driver.left.then(() => count(0));
  }

  /** Reads the state, which another process may have changed. */
  async #read(): Promise<ThreadState | undefined> {
    const state = await this.#store.state();
    if (this.#state !== undefined && this.#state.generation !== state?.generation) {
      // The thread was deleted.
      void this.#stop();
      this.#followers.reread();
      this.#followers.durable = 0;
    }
    this.#state = state;
    // The driver publishes its entries itself.
    if (this.#driver === undefined) {
      this.#followers.reached(state?.last ?? 0);
    }
    return state;
  }

  /** Resolves when changes by other processes are reported. */
  async #watch(): Promise<void> {
    this.#watching ??= this.#store.watch(() => void this.#update());
    try {
      await this.#watching;
    } catch (error) {
      this.#watching = undefined;
      throw error;
    }
  }

  /**
   * Follows the changes by other processes: later entries of the log, a cancellation, a deletion.
   */
  async #update(): Promise<void> {
    this.#hasNews = true;
    if (this.#isUpdating) {
      return;
    }
    this.#isUpdating = true;
    try {
      while (this.#hasNews) {
        this.#hasNews = false;
        await this.#read();
        const driving = this.#driver;
        const run = driving && this.#store.run(driving.runId);
        if (run?.cancelled) {
          driving!.driver.cancel();
        }
        if (
          run !== undefined &&
          driving === this.#driver &&
          this.#store.isTaken(run.runId) &&
          driving!.hasStarted
        ) {
          // Another process continues the run, or has ended it, because this one did not respond.
          void this.#stop();
        }
      }
    } catch (error) {
      this.#options.onError(error);
      // The clients resume, when the store answers again.
      this.#followers.close();
    } finally {
      this.#isUpdating = false;
    }
  }

  async #retain(owner: string): Promise<void> {
    if (
      this.#state === undefined ||
      this.#driver !== undefined ||
      this.#store.active() !== undefined
    ) {
      return;
    }
    // A follower would miss the end of a log that is deleted.
    const isRead = (): boolean => this.#followers.open + this.#opening > 0;
    const next = await this.#kind.retain(Date.now(), isRead, owner);
    if (!isRead()) {
      this.#followers.reread();
    }
    if (next !== undefined && this.#driver === undefined && this.#store.active() === undefined) {
      await this.#options.schedule(next);
    }
  }

  async #drive(owner: string): Promise<void> {
    // Here, and not when the run is accepted: this is repeated if it fails.
    await this.#report(owner);
    if (this.#store.isShared && (await this.#read()) === undefined) {
      return this.#kind.withdraw(owner);
    }
    if (this.#store.active() === undefined) {
      return this.#reportRuns(owner);
    }
    const run = this.#store.active();
    if (run?.status !== "queued" || this.#driver !== undefined) {
      return;
    }
    const { runId } = run;
    const store = this.#store;
    const { limits, onError } = this.#options;
    const driver = new RunDriver({
      store,
      followers: this.#followers,
      runId,
      script: await this.#kind.script(run, false),
      messages: (latest) => this.#kind.messagesOf(runId, latest),
      onError,
    });
    const driving: Driving = { runId, owner, driver, hasStarted: false, isKept: false };
    this.#driver = driving;
    try {
      await this.#watch();
      const isOthers = store.isTaken(runId);
      await store.setStatus(runId, "running");
      if (isOthers) {
        await this.#count(owner, "runs", 1);
      }
      const state = this.#state;
      const begin = state && (await this.#kind.start(run, state));
      // The thread may be deleted, or closed, at any time. If the run still exists now, the agent
      // has received the whole history.
      const started = store.run(runId);
      if (begin !== undefined && started?.status === "running" && !this.#isClosed) {
        // A request that was faster than the driver has only set the mark.
        if (started.cancelled) {
          driver.cancel();
        }
        driving.hasStarted = true;
        await driver.drive(begin, limits.runMs);
      }
    } finally {
      this.#driver = undefined;
      await this.#keepPlace(driving);
    }
    if (this.#state?.owner === owner) {
      await this.#report(owner);
    }
    await this.#reportRuns(owner);
  }

  /**
   * Writes the run to the lists of the user, unless the thread is being deleted: it would be in
   * them afterwards.
   */
  async #report(owner: string): Promise<void> {
    if (this.#deletions === 0) {
      this.#reporting = Promise.resolve(this.#kind.report(owner));
      await this.#reporting;
    }
  }

  /** @param place the name of what is counted */
  async #count(owner: string, kind: CountKind, count: number, place = this.#id): Promise<number> {
    // Answers without a user are not counted.
    return owner === "" ? 0 : this.#users.count(owner, kind, place, count);
  }

  /** Reports to the store of users whether the thread has an active run. */
  async #reportRuns(owner: string): Promise<void> {
    // After a deletion the thread may be another user's.
    const isOwners = this.#state?.owner === owner && this.#store.active() !== undefined;
    await this.#count(owner, "runs", isOwners ? 1 : 0);
  }

  /** Reports the number of connections soon, once for all changes within `MOMENT`. */
  #connectionsChanged(): void {
    // A thread may be deleted meanwhile.
    const owner = this.#state?.owner;
    if (owner === undefined) {
      return;
    }
    this.#sending ??= setTimeout(() => {
      this.#sending = undefined;
      this.#count(owner, "connections", this.#followers.open + this.#opening).catch(
        this.#options.onError,
      );
      this.#renew();
      this.#idle();
    }, MOMENT);
  }

  /** Reports the number of connections again before it expires. */
  #renew(): void {
    if (this.#followers.open + this.#opening > 0) {
      this.#renewing ??= setTimeout(() => {
        this.#renewing = undefined;
        if (this.#state !== undefined) {
          this.#connectionsChanged();
        }
      }, RENEWAL);
    }
  }

  #idle(): void {
    if (this.isIdle) {
      this.#options.onIdle?.();
    }
  }

  /**
   * Reads the thread, and recovers its run, so that the first call finds it as it will stay. Its
   * errors are those of the store.
   */
  async #begin(): Promise<void> {
    try {
      await this.#opened();
    } catch (error) {
      throw error instanceof StoreError ? error : new StoreError(error);
    }
  }

  async #opened(): Promise<void> {
    const run = (await this.#read()) && this.#store.active();
    // Another process that has accepted a run is about to drive it.
    if (
      run !== undefined &&
      (run.status === "running" ? await this.#store.mayDrive() : !this.#store.isShared)
    ) {
      await this.#recover();
      await this.#options.schedule(Date.now());
    }
  }

  /**
   * Recovers an active run whose process was killed. A run without events is started again; a run
   * with events is not, because its tools may have had effects: it gets its terminal event. So does
   * a run that could often not be started.
   */
  async #recover(): Promise<void> {
    const run = this.#store.active();
    if (run?.status === "running" || (run !== undefined && this.#failures >= FAILURES)) {
      await this.#interrupted(run);
      await this.#read();
    }
  }

  async #interrupted(run: StoredRun): Promise<void> {
    const { runId, attempts } = run;
    const { onError } = this.#options;
    const failures = this.#failures;
    if (this.#store.isTaken(runId)) {
      // From now on the other process cannot write to the run, or it has done so.
      await this.#store.setStatus(runId, "running");
    }
    const hasBegun = (await this.#store.read(runId, 0, Number.MAX_SAFE_INTEGER, 1)).length > 0;
    // After an error of the store the agent has run, and its tools may have had effects.
    if (!hasBegun && attempts < ATTEMPTS && failures === 0) {
      return this.#store.setStatus(runId, "queued");
    }
    const script = await this.#kind.script(run, hasBegun);
    const ending = await endingOf(script, INTERRUPTED);
    script.free?.();
    try {
      await this.#store.append(runId, ending, await this.#kind.messagesOf(runId, ending));
    } catch (error) {
      if (failures < FAILURES) {
        throw error;
      }
      await this.#store.append(runId, ending, []);
      onError(new StoreError(error, `the messages of the run ${runId} cannot be stored`));
    }
  }

  /**
   * Returns the id of the active run, else of the last one. It is empty for a thread without runs.
   */
  async #latest(): Promise<string> {
    await this.#ready;
    if ((await this.#read()) === undefined) {
      return "";
    }
    const run = this.#store.active() ?? this.#store.ended().at(-1);
    return run?.runId ?? "";
  }

  async #refusal(owner: string | undefined, runId?: string): Promise<RunsRefusal | undefined> {
    await this.#ready;
    const state = await this.#read();
    if (state === undefined) {
      return noThread;
    }
    // The id of an answer without a user is its credential.
    if (owner !== undefined && state.owner !== "" && state.owner !== owner) {
      return notOwner;
    }
    return runId !== undefined && this.#store.run(runId) === undefined ? noRun : undefined;
  }
}
