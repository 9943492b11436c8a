// The tasks of A2A of one caller: an object of its own, in which the agent runs. A task outlives the connection that began it.

import { DurableObject } from "cloudflare:workers";
import type { Task as A2aTask } from "agentwire/a2a";
import { tasksOf } from "../protocols.js";
import { type RunsEnv, daysOf, numberOf } from "./env.js";
import type { ObjectState } from "./platform.js";
import { SHARED } from "./task_owner.js";
import { TaskStorage } from "./task_storage.js";

/** Why a task has failed whose agent is gone. */
const INTERRUPTED = { code: "AGENT_RUN_INTERRUPTED", message: "the run was interrupted" };

/** Tasks. */
export class Tasks extends DurableObject<RunsEnv> {
  #answer: ReturnType<typeof tasksOf> | undefined;
  readonly #running = new Set<Promise<unknown>>();

  constructor(ctx: ObjectState, env: RunsEnv) {
    super(ctx, env);
    this.#recover();
  }

  /** A request of A2A. */
  async fetch(request: Request): Promise<Response> {
    const store = (): TaskStorage => this.#storage(request.headers.has(SHARED));
    this.#answer ??= tasksOf(store());
    // What outlives the request is a task at work, until it is stored as it ended.
    return this.#answer(request, this.env, { waitUntil: (work: Promise<unknown>) => this.#run(work) });
  }

  /** Lives until no agent is at work, and forgets what is old. */
  async alarm(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.allSettled(this.#running);
    }
    // A task whose end could not be stored.
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

  /** An agent is at work: the alarm keeps the object alive when nobody reads. */
  #run(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.catch(() => {}).finally(() => this.#running.delete(work));
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now()));
  }

  /** An object that begins has no agent at work: whatever worked was killed. */
  #recover(): void {
    if (this.#interrupt()) {
      this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now()));
    }
  }

  /** Ends the tasks that no agent works at, though they have not ended. Returns whether there were any. */
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
