// One thread: an object of its own, with its log, its messages, and the agent while it runs.

import { DurableObject } from "cloudflare:workers";
import { type RunInput, cursorNumber, runErrorEvent } from "agentwire";
import { demoEvents } from "./agent_events.js";
import { Driver } from "./driver.js";
import { type RunsEnv, numberOf } from "./env.js";
import { keepAnswer, keepQuestion } from "./messages.js";
import type { ObjectState } from "./platform.js";
import { Readers } from "./readers.js";
import { type RunRow, ThreadStorage } from "./storage.js";

/** A refusal that crosses to the worker. */
export interface Refused {
  readonly refused: string;
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** How often a run is begun again that was killed before it had said anything. */
const ATTEMPTS = 3;
/** How many connections a thread takes. */
const CONNECTIONS = 2000;

const notOwner: Refused = { refused: "AGENT_FORBIDDEN", detail: "the thread is somebody else's" };
const noThread: Refused = { refused: "AGENT_SESSION_NOT_FOUND", detail: "there is no such thread" };
const noRun: Refused = { refused: "AGENT_RUN_NOT_FOUND", detail: "the thread has no such run" };

/** A thread. Its public methods are called by the worker. */
export class Thread extends DurableObject<RunsEnv> {
  readonly #storage: ThreadStorage;
  readonly #readers: Readers;
  #driver: { readonly runId: string; readonly driver: Driver } | undefined;

  constructor(ctx: ObjectState, env: RunsEnv) {
    super(ctx, env);
    this.#storage = new ThreadStorage(ctx.storage);
    this.#recover();
    this.#readers = new Readers(this.#storage, numberOf(env.KEEP_ALIVE, 15_000));
  }

  /** Stores what the user says, and queues the run: when this has resolved, both are on the disk. */
  async create(
    owner: string,
    body: string,
    hash: string,
    key: string | null,
  ): Promise<Refused | { readonly taskId: string; readonly created: boolean }> {
    const input = JSON.parse(body) as RunInput;
    if (this.#storage.owner !== undefined && this.#storage.owner !== owner) {
      return notOwner;
    }
    const isNew = this.#storage.owner === undefined;
    const known = isNew ? undefined : (this.#storage.run(input.runId) ?? (key === null ? undefined : this.#storage.runOfKey(key)));
    if (known !== undefined) {
      return known.hash === hash
        ? { taskId: known.task_id, created: known.created === 1 }
        : { refused: "AGENT_IDEMPOTENCY_CONFLICT", detail: "this run, or this idempotency key, was used with another body" };
    }
    if (!isNew && this.#storage.active() !== undefined) {
      return { refused: "AGENT_SESSION_RUN_LIMIT_EXCEEDED", detail: "the thread has an active run", retryAfter: 1 };
    }
    const taskId = crypto.randomUUID();
    this.#storage.together(() => {
      if (isNew) {
        this.#storage.begin(owner);
      }
      this.#storage.addRun({ run_id: input.runId, task_id: taskId, hash, input: body, created: isNew ? 1 : 0 }, key);
      keepQuestion(this.#storage, input);
    });
    // In the same turn, so that they are stored together: there is no accepted run without somebody who drives it.
    await this.ctx.storage.setAlarm(Date.now());
    await this.ctx.storage.sync();
    return { taskId, created: isNew };
  }

  /** The run shall stop; it has when its terminal event is there. */
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

  /** Whether something may be uploaded for the thread: also before it has begun. */
  mayWrite(owner: string): Refused | undefined {
    return this.#storage.owner === undefined || this.#storage.owner === owner ? undefined : notOwner;
  }

  /** The messages of one day. */
  history(owner: string, before: string | undefined): Refused | ReturnType<ThreadStorage["day"]> {
    return this.#refusal(owner) ?? this.#storage.day(before);
  }

  /** The events of a run, for a request of the worker: an answer of status 299 with a refusal in its body is for the worker. */
  fetch(request: Request): Response {
    const query = new URL(request.url).searchParams;
    const runId = query.get("runId")!;
    const refused = this.#refusal(query.get("owner")!, runId);
    if (refused !== undefined) {
      return Response.json(refused, { status: 299 });
    }
    const cursor = request.headers.get("last-event-id");
    const after = cursor === null || cursor === "" ? 0 : cursorNumber(cursor, this.#storage.generation);
    if (after === undefined || after > this.#readers.durable) {
      const refused: Refused = { refused: "AGENT_INVALID_LAST_EVENT_ID", detail: "the Last-Event-ID is no cursor of this thread" };
      return Response.json(refused, { status: 299 });
    }
    const { terminal } = this.#storage.run(runId)!;
    if (terminal !== null && terminal <= after) {
      return new Response(null, { status: 204 });
    }
    if (this.#readers.open >= CONNECTIONS) {
      const refused: Refused = { refused: "AGENT_SSE_CONNECTION_LIMIT", detail: "the thread has too many readers", retryAfter: 5 };
      return Response.json(refused, { status: 299 });
    }
    const idleLimit = Number(query.get("idle_limit"));
    return new Response(this.#readers.stream({ runId, after, idleLimit }, request.signal), {
      headers: { "content-type": "text/event-stream" },
    });
  }

  /** Drives the run that is queued. */
  async alarm(): Promise<void> {
    const { owner } = this.#storage;
    const queued = owner === undefined ? undefined : this.#storage.active();
    if (owner === undefined || queued === undefined) {
      return;
    }
    const { threadId } = JSON.parse(queued.input) as RunInput;
    // Here, and not when the run is accepted: whatever comes in between, an alarm is not forgotten.
    await this.env.USERS.getByName(owner).said(threadId);
    const run = this.#storage.active();
    if (run?.status !== "queued" || this.#driver !== undefined) {
      return;
    }
    this.#storage.setStatus(run.run_id, "running");
    const onEnd = (runId: string): void => keepAnswer(this.#storage, runId);
    const driver = new Driver(this.ctx.storage, this.#storage, this.#readers, run.run_id, onEnd);
    this.#driver = { runId: run.run_id, driver };
    if (run.cancelled === 1) {
      driver.cancel();
    }
    try {
      await driver.drive(demoEvents, run.input, numberOf(this.env.RUN_TIMEOUT, 600_000));
    } finally {
      this.#driver = undefined;
    }
  }

  /**
   * An object that begins and finds a run under way knows that whoever drove it is gone. Said nothing yet, it is begun anew; a
   * run that has said something is not, because its tools may have had effects: it gets its terminal event.
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
    const started = { kind: "RUN_STARTED", data: JSON.stringify({ type: "RUN_STARTED", threadId, runId: run.run_id }) };
    const failed = { kind: "RUN_ERROR", data: runErrorEvent("AGENT_RUN_INTERRUPTED", "the run was interrupted") };
    this.#storage.end(run.run_id, this.#storage.append(run.run_id, hasBegun ? [failed] : [started, failed]));
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
