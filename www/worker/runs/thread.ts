// One thread: an object of its own, with its log, its messages, and the agent while it runs.

import { DurableObject } from "cloudflare:workers";
import { type Json, parseJson } from "agentwire";
import type { RunInput } from "agentwire/runs/server";
import { type AgentRun, demoEvents } from "./agent_events.js";
import { renewing, withNewLinks } from "./attachment_links.js";
import { ConnectionCount } from "./connection_count.js";
import { Driver } from "./driver.js";
import { type RunsEnv, daysOf, numberOf } from "./env.js";
import { EventScript } from "./event_script.js";
import { keepAnswer, keepQuestion, messagesOfRun } from "./messages.js";
import type { ObjectState } from "./platform.js";
import { Readers, eventForm } from "./readers.js";
import { retain } from "./retention.js";
import { type Refused, refusedStream } from "./refused.js";
import type { HistoryPage, RunRow } from "./rows.js";
import { ThreadStorage } from "./storage.js";
import type { Counted } from "./user.js";

/** The maximum number of starts of a run that was killed before its first event. */
const ATTEMPTS = 3;
/** The maximum number of connections of a thread. */
const CONNECTIONS = 2000;
/** Milliseconds before retention is tried again if the log has readers. */
const AGAIN = 2000;

const notOwner: Refused = { refused: "AGENT_FORBIDDEN", detail: "the thread is somebody else's" };
const noThread: Refused = { refused: "AGENT_SESSION_NOT_FOUND", detail: "there is no such thread" };
const noRun: Refused = { refused: "AGENT_RUN_NOT_FOUND", detail: "the thread has no such run" };

/** A thread. Its public methods are called by the worker. */
export class Thread extends DurableObject<RunsEnv> {
  readonly #storage: ThreadStorage;
  readonly #readers: Readers;
  #driver: { readonly runId: string; readonly driver: Driver } | undefined;
  /** The number of connections that are being opened. */
  #coming = 0;
  readonly #connections = new ConnectionCount(
    () => this.#readers.open + this.#coming,
    (count) => this.ctx.waitUntil(this.#count(this.#storage.owner!, "connections", this.#storage.threadId, count)),
  );

  constructor(ctx: ObjectState, env: RunsEnv) {
    super(ctx, env);
    this.#storage = new ThreadStorage(ctx.storage);
    this.#recover();
    this.#readers = new Readers(this.#storage, numberOf(env.KEEP_ALIVE, 15_000), () => this.#connections.changed());
  }

  /**
   * Stores the messages of the request, and queues the run: when this has resolved, both are on the disk. `base` is the address of the
   * endpoints.
   */
  async create(
    owner: string,
    base: string,
    body: string,
    hash: string,
    key: string | null,
  ): Promise<Refused | { readonly taskId: string; readonly created: boolean }> {
    const input = JSON.parse(body) as RunInput;
    const known = this.#known(owner, input.runId, hash, key);
    if (known !== undefined) {
      return known;
    }
    const threadId = input.threadId.toLowerCase();
    if ((await this.#count(owner, "runs", threadId, 1)) > numberOf(this.env.USER_RUNS, 20)) {
      await this.#tellRuns(owner, threadId);
      return { refused: "AGENT_RATE_LIMIT_EXCEEDED", detail: "the user has too many runs under way", retryAfter: 5 };
    }
    // During the count, the same request may have arrived again, or another one.
    const meanwhile = this.#known(owner, input.runId, hash, key);
    if (meanwhile !== undefined) {
      await this.#tellRuns(owner, threadId);
      return meanwhile;
    }
    const isNew = this.#storage.owner === undefined;
    const taskId = crypto.randomUUID();
    this.#storage.together(() => {
      if (isNew) {
        this.#storage.begin(owner, threadId);
      }
      this.#storage.setBase(base);
      this.#storage.addRun({ run_id: input.runId, task_id: taskId, hash, input: body, created: isNew ? 1 : 0 }, key);
      keepQuestion(this.#storage, input);
    });
    // Without an `await` before it, so that the run and its alarm are stored together: an accepted run is always driven.
    await this.ctx.storage.setAlarm(Date.now());
    await this.ctx.storage.sync();
    return { taskId, created: isNew };
  }

  /** Returns the answer to a request that does not start a run: it is refused, or repeats an earlier one. */
  #known(owner: string, runId: string, hash: string, key: string | null): Refused | { readonly taskId: string; readonly created: boolean } | undefined {
    if (this.#storage.owner === undefined) {
      return undefined;
    }
    if (this.#storage.owner !== owner) {
      return notOwner;
    }
    const known = this.#storage.run(runId) ?? (key === null ? undefined : this.#storage.runOfKey(key));
    if (known !== undefined) {
      return known.hash === hash
        ? { taskId: known.task_id, created: known.created === 1 }
        : { refused: "AGENT_IDEMPOTENCY_CONFLICT", detail: "this run, or this idempotency key, was used with another body" };
    }
    return this.#storage.active() === undefined
      ? undefined
      : { refused: "AGENT_SESSION_RUN_LIMIT_EXCEEDED", detail: "the thread has an active run", retryAfter: 1 };
  }

  /** Cancels the run, which has stopped when its terminal event is in the log. */
  async cancel(owner: string, runId: string): Promise<Refused | { readonly accepted: true }> {
    const refused = this.#refusal(owner, runId);
    if (refused !== undefined) {
      return refused;
    }
    this.#storage.setCancelled(runId);
    await this.ctx.storage.sync();
    if (this.#driver?.runId === runId) {
      this.#driver.driver.cancel();
    }
    return { accepted: true };
  }

  /** Returns a refusal if the user must not upload for the thread. Uploads before the first run are allowed. */
  mayWrite(owner: string): Refused | undefined {
    return this.#storage.owner === undefined || this.#storage.owner === owner ? undefined : notOwner;
  }

  /** Returns the messages of one day, or a part of them. */
  history(owner: string, before: string | undefined, beforeSeq: number | undefined): Refused | HistoryPage {
    return this.#refusal(owner) ?? this.#storage.day(before, beforeSeq);
  }

  /** Returns the events of a run, for a request of the worker, or a refusal. */
  async fetch(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const [owner, runId] = ["owner", "runId"].map((name) => query.get(name)!) as [string, string];
    const refused = this.#refusal(owner, runId);
    if (refused !== undefined) {
      return refusedStream(refused);
    }
    const after = this.#readers.placeOf(request);
    if (after === undefined) {
      return refusedStream({ refused: "AGENT_INVALID_LAST_EVENT_ID", detail: "the Last-Event-ID is no cursor of this thread" });
    }
    const { terminal, status } = this.#storage.run(runId)!;
    if (terminal !== null && terminal <= after) {
      return new Response(null, { status: 204 });
    }
    if (status === "expired") {
      const detail = "the events of the run are not kept any more; the history has its messages";
      return refusedStream({ refused: "AGENT_RUN_EXPIRED", detail });
    }
    const isTooMuch = this.#readers.open + ++this.#coming > CONNECTIONS;
    try {
      const all = isTooMuch ? 0 : await this.#count(owner, "connections", this.#storage.threadId, this.#readers.open + this.#coming);
      if (isTooMuch || all > numberOf(this.env.USER_CONNECTIONS, 100)) {
        this.#connections.changed();
        const detail = `the ${isTooMuch ? "thread" : "user"} has too many event connections`;
        return refusedStream({ refused: "AGENT_SSE_CONNECTION_LIMIT", detail, retryAfter: 5 });
      }
    } finally {
      this.#coming--;
    }
    this.#connections.renew();
    const idleLimit = Number(query.get("idle_limit"));
    const { generation } = this.#storage;
    return new Response(this.#readers.stream(runId, eventForm(generation), { after, idleLimit }, request.signal), {
      headers: { "content-type": "text/event-stream" },
    });
  }

  /** Drives the queued run, and then keeps the log within its limits. */
  async alarm(): Promise<void> {
    const { owner } = this.#storage;
    if (owner !== undefined) {
      await this.#drive(owner);
      this.#retain();
    }
  }

  #retain(): void {
    if (this.#storage.active() !== undefined || this.#driver !== undefined) {
      return;
    }
    // A reader would miss the end of a log that is deleted.
    const isRead = this.#readers.open + this.#coming > 0;
    const retention = { life: daysOf(this.env.LOG_DAYS, 7), bytes: numberOf(this.env.LOG_BYTES, 50_000_000) };
    const next = isRead ? Date.now() + AGAIN : retain(this.#storage, retention, Date.now());
    if (!isRead) {
      this.#readers.reread();
    }
    if (next !== undefined) {
      // Without an `await` before it: a run that is started later sets its own alarm.
      this.ctx.waitUntil(this.ctx.storage.setAlarm(next));
    }
  }

  async #drive(owner: string): Promise<void> {
    const queued = this.#storage.active();
    if (queued === undefined) {
      return this.#tellRuns(owner, this.#storage.threadId);
    }
    const { threadId } = this.#storage;
    // In the alarm, and not when the run is accepted: the platform repeats an alarm that fails.
    await this.env.USERS.getByName(owner).said(threadId);
    const run = this.#storage.active();
    if (run?.status !== "queued" || this.#driver !== undefined) {
      return;
    }
    this.#storage.setStatus(run.run_id, "running");
    const onEnd = (runId: string): void => keepAnswer(this.#storage, runId);
    const driver = new Driver(this.ctx.storage, this.#storage, this.#readers, run.run_id, new EventScript(threadId, run.run_id), onEnd);
    this.#driver = { runId: run.run_id, driver };
    if (run.cancelled === 1) {
      driver.cancel();
    }
    try {
      const agent = await this.#agentOf(owner, run);
      await driver.drive((signal) => demoEvents({ ...agent, signal }), numberOf(this.env.RUN_TIMEOUT, 600_000));
    } finally {
      this.#driver = undefined;
      await this.#tellRuns(owner, this.#storage.threadId);
    }
  }

  /** Returns the agent's input: the earlier messages, with addresses that are valid, the user and the environment. */
  async #agentOf(owner: string, run: RunRow): Promise<Omit<AgentRun, "signal">> {
    const renew = await renewing(this.env, owner, this.#storage.base);
    const messages = messagesOfRun(this.#storage, JSON.parse(run.input) as RunInput);
    const renewed = await Promise.all(messages.map((message) => withNewLinks(message, renew)));
    const input = { ...(parseJson(run.input) as { readonly [name: string]: Json }), messages: renewed as unknown as Json };
    return { input, user: owner, env: this.env };
  }

  #count(owner: string, kind: Counted, threadId: string, count: number): Promise<number> {
    return this.env.USERS.getByName(owner).count(kind, threadId, count);
  }

  /** Reports to the user's object whether the thread has an active run. */
  async #tellRuns(owner: string, threadId: string): Promise<void> {
    const isActive = this.#storage.owner !== undefined && this.#storage.active() !== undefined;
    await this.#count(owner, "runs", threadId, isActive ? 1 : 0);
  }

  /**
   * Recovers an active run whose process was killed. A run without events is started again; a run with events is not, because its tools
   * may have had effects: it gets its terminal event.
   */
  #recover(): void {
    const run = this.#storage.owner === undefined ? undefined : this.#storage.active();
    if (run === undefined) {
      return;
    }
    this.#storage.together(() => {
      if (run.status === "running") {
        this.#interrupted(run);
      }
    });
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now()));
  }

  #interrupted(run: RunRow): void {
    const hasBegun = this.#storage.entries(run.run_id, 0, Number.MAX_SAFE_INTEGER, 1).length > 0;
    if (!hasBegun && run.attempts < ATTEMPTS) {
      return this.#storage.setStatus(run.run_id, "queued");
    }
    const { threadId } = JSON.parse(run.input) as RunInput;
    const script = new EventScript(threadId, run.run_id, hasBegun);
    const ending = script.ending({ code: "AGENT_RUN_INTERRUPTED", message: "the run was interrupted" });
    const last = this.#storage.append(run.run_id, ending.map((data) => ({ kind: script.append(data), data })));
    script.free();
    this.#storage.end(run.run_id, last);
    keepAnswer(this.#storage, run.run_id);
  }

  #refusal(owner: string, runId?: string): Refused | undefined {
    if (this.#storage.owner === undefined) {
      return noThread;
    }
    if (this.#storage.owner !== owner) {
      return notOwner;
    }
    return runId !== undefined && this.#storage.run(runId) === undefined ? noRun : undefined;
  }
}
