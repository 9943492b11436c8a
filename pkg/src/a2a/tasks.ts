// Where the tasks of an A2A server are.

import type { A2aTask } from "../agentwire.js";

/** Which tasks are asked for. */
export interface ListTasks {
  /** Those of one conversation. */
  readonly contextId?: string | null | undefined;
  /** Those in one state: `TASK_STATE_WORKING`. */
  readonly status?: string | null | undefined;
  /** How many at most: 1 to 100, 50 by default. */
  readonly pageSize?: number | null | undefined;
  /** Where the page begins: what the page before said. */
  readonly pageToken?: string | null | undefined;
}

/** A page of tasks. */
export interface TaskPage {
  /** Those that were saved last come first. */
  readonly tasks: readonly A2aTask[];
  /** Where the next page begins; empty after the last. */
  readonly nextPageToken: string;
  /** How many there are in all. */
  readonly totalSize: number;
}

/** Keeps the tasks of a server. All methods may be asynchronous. */
export interface TaskStore {
  /** The task of that id. */
  load(id: string): A2aTask | undefined | PromiseLike<A2aTask | undefined>;
  /** Keeps a task, in place of the one of that id. */
  save(task: A2aTask): void | PromiseLike<void>;
  /** Tasks, page by page. */
  list(asked: ListTasks): TaskPage | PromiseLike<TaskPage>;
  /**
   * Keeps what is said of a task between two saves, before anybody is shown it: events of 1.0 as JSON, `{"artifactUpdate":…}`. A store
   * without it has a task as it was when its state changed last.
   */
  append?(id: string, events: readonly string[]): void | PromiseLike<void>;
}

/** Tasks in memory: the last 1,000 that were saved, unless another number is said. */
export class MemoryTaskStore implements TaskStore {
  readonly #most: number;
  /** In the order in which they were saved. */
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

/** How many tasks a page has that does not say. */
export const PAGE_SIZE = 50;
