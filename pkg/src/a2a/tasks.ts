// Stores the tasks of an A2A server.

import type { A2aTask } from "../agentwire.js";

/** A query for tasks. */
export interface ListTasks {
  /** The context of the tasks. All contexts by default. */
  readonly contextId?: string | null | undefined;
  /** The state of the tasks, for example `TASK_STATE_WORKING`. All states by default. */
  readonly status?: string | null | undefined;
  /** The maximum number of tasks in the page, 1 to 100. 50 by default. */
  readonly pageSize?: number | null | undefined;
  /** The `nextPageToken` of the previous page. The first page by default. */
  readonly pageToken?: string | null | undefined;
}

/** A page of tasks. */
export interface TaskPage {
  /** The tasks, the last saved first. */
  readonly tasks: readonly A2aTask[];
  /** The `pageToken` of the next page. Empty in the last page. */
  readonly nextPageToken: string;
  /** The number of tasks in all pages. */
  readonly totalSize: number;
}

/** Stores the tasks of a server. All methods can be asynchronous. */
export interface TaskStore {
  /** Returns the task with this id; undefined if the store does not have it. */
  load(id: string): A2aTask | undefined | PromiseLike<A2aTask | undefined>;
  /** Stores a task. Replaces the task with the same id. */
  save(task: A2aTask): void | PromiseLike<void>;
  /** Returns a page of tasks. */
  list(query: ListTasks): TaskPage | PromiseLike<TaskPage>;
  /**
   * Stores the events of a task between two saves, before they are sent to clients. The events are those of version 1.0 as JSON, for
   * example `{"artifactUpdate":…}`. A store without this method contains the task as of its last change of state.
   */
  append?(id: string, events: readonly string[]): void | PromiseLike<void>;
}

/** Keeps the last saved tasks in memory, 1,000 by default. */
export class MemoryTaskStore implements TaskStore {
  readonly #most: number;
  /** The tasks by id, in the order of their last save. */
  readonly #tasks = new Map<string, A2aTask>();

  constructor(most = 1000) {
    this.#most = most;
  }

  load(id: string): A2aTask | undefined {
    return this.#tasks.get(id);
  }

  save(task: A2aTask): void {
    const { id = "" } = task;
    this.#tasks.delete(id);
    this.#tasks.set(id, task);
    for (const oldest of this.#tasks.keys()) {
      if (this.#tasks.size <= this.#most) {
        break;
      }
      this.#tasks.delete(oldest);
    }
  }

  list({ contextId, status, pageSize, pageToken }: ListTasks): TaskPage {
    const all = [...this.#tasks.values()].reverse().filter((task) => {
      return (contextId ?? task.contextId) === task.contextId && (status ?? task.status?.state) === task.status?.state;
    });
    const from = Number(pageToken ?? 0) || 0;
    const next = from + (pageSize ?? PAGE_SIZE);
    return { tasks: all.slice(from, next), nextPageToken: next < all.length ? String(next) : "", totalSize: all.length };
  }
}

/** The default `pageSize`. */
export const PAGE_SIZE = 50;
