// The A2A tasks of one caller: an object of its own, in which the agent runs. A task outlives the connection that started it.

import { DurableObject } from "cloudflare:workers";
import type { Task as A2aTask } from "agentwire/a2a";
import { tasksOf } from "../protocols.js";
import { type RunsEnv, daysOf, numberOf } from "./env.js";
import type { ObjectState } from "./platform.js";
import { SHARED } from "./task_owner.js";
import { TaskStorage } from "./task_storage.js";

/** The error of a task whose agent was killed. */
const INTERRUPTED = { code: "AGENT_RUN_INTERRUPTED", message: "the run was interrupted" };

/** The tasks of a caller. */
export class Tasks extends DurableObject<RunsEnv> {
  #answer: ReturnType<typeof tasksOf> | undefined;
  readonly #running = new Set<Promise<unknown>>();

  constructor(ctx: ObjectState, env: RunsEnv) {
    super(ctx, env);
    this.#recover();
  }

  /** Answers a request of A2A. */
  async fetch(request: Request): Promise<Response> {
    const store = (): TaskStorage => this.#storage(request.headers.has(SHARED));
    this.#answer ??= tasksOf(store());
    // Work that outlives the request is a running task, until its end is stored.
    return this.#answer(request, this.env, { waitUntil: (work: Promise<unknown>) => this.#run(work) });
  }

  /** Waits until all agents have ended, and deletes old tasks. */
  async alarm(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.allSettled(this.#running);
    }
    // Also ends tasks whose end could not be stored.
    this.#interrupt();
    const life = daysOf(this.env.TASK_DAYS, 7);
    const oldest = this.#storage(true).forgetBefore(Date.now() - life);
    if (oldest !== undefined) {
      await this.ctx.storage.setAlarm(oldest + life + 1000);
    }
  }

  #storage(isShared: boolean): TaskStorage {
    return new TaskStorage(this.ctx.storage, isShared, numberOf(this.env.TASKS_KEPT, 1000));
  }

  /** Registers a running agent: the alarm keeps the object alive without readers. */
  #run(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.catch(() => {}).finally(() => this.#running.delete(work));
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now()));
  }

  /** Ends the tasks whose agent was killed before this start of the object. */
  #recover(): void {
    if (this.#interrupt()) {
      this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now()));
    }
  }

  /** Ends the tasks that have not ended and have no agent. Returns whether there were any. */
  #interrupt(): boolean {
    const storage = this.#storage(true);
    const interrupted = this.#running.size > 0 ? [] : storage.atWork();
    interrupted.forEach((task) => storage.save(failed(task)));
    return interrupted.length > 0;
  }
}

function failed(task: A2aTask): A2aTask {
  const { id, contextId } = task;
  const parts = [{ text: INTERRUPTED.message }, { data: INTERRUPTED }];
  const message = { messageId: `${id}_error`, contextId, taskId: id, role: "ROLE_AGENT", parts };
  const timestamp = new Date().toISOString();
  return { ...task, status: { state: "TASK_STATE_FAILED", message, timestamp } } as A2aTask;
}
