// Stores the tasks of an A2A server.

import type { A2aTask } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { jsonText, parseJson } from "../core/json.js";

/** A task as a store keeps it: with its user. */
export interface StoredTask extends A2aTask {
  /**
   * The user that the task belongs to, whom `authenticate` of `createHandler` has returned. Absent
   * without users. A store keeps it with the task; clients do not receive it.
   */
  readonly user?: string | undefined;
}

/** A query for tasks. */
export interface ListTasks {
  /** The user of the tasks. Absent without users: then `contextId` is not. */
  readonly user?: string | undefined;
  /** The context of the tasks. All contexts of the user by default. */
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
  /**
   * The tasks, the last saved first. It can have fewer tasks than the query allows, if they are
   * large.
   */
  readonly tasks: readonly StoredTask[];
  /** The `pageToken` of the next page. Empty in the last page. */
  readonly nextPageToken: string;
  /** The number of tasks in all pages. */
  readonly totalSize: number;
}

/**
 * Stores the tasks of a server. All methods can be asynchronous. Ids of tasks are unique and
 * unguessable: the server creates them. It also checks the user of each task that a store returns.
 */
export interface TaskStore {
  /** Returns the task with this id, with its `user`; undefined if the store does not have it. */
  load(id: string): StoredTask | undefined | PromiseLike<StoredTask | undefined>;
  /** Stores a task with its `user`. Replaces the task with the same id. */
  save(task: StoredTask): void | PromiseLike<void>;
  /** Returns a page of tasks of the user in the query. */
  list(query: ListTasks): TaskPage | PromiseLike<TaskPage>;
  /**
   * Stores the events of a task between two saves, before they are sent to clients. The events are
   * those of version 1.0 as JSON, for example `{"artifactUpdate":…}`. A store without this method
   * contains the task as of its last change of state.
   */
  append?(id: string, events: readonly string[]): void | PromiseLike<void>;
}

/** The limits of a {@link MemoryTaskStore}. All are optional. */
export interface MemoryTaskStoreOptions {
  /** The maximum number of tasks: 1,000 by default. */
  readonly maxTasks?: number | undefined;
  /** The maximum number of bytes of all tasks, as JSON in UTF-8: 67,108,864 (64 MiB) by default. */
  readonly maxBytes?: number | undefined;
}

/** A task in memory. It is bytes: parsed values would take a multiple. */
interface Kept {
  readonly user: string;
  readonly contextId: string | undefined;
  readonly state: string | undefined;
  readonly json: Uint8Array;
}

/** The tasks of a user, by id, in the order of their last save. */
interface UserTasks {
  readonly ids: Set<string>;
  bytes: number;
}

/** The number of bytes after which a page of tasks ends. */
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Keeps tasks in memory, as JSON: the last saved ones, up to a number and a number of bytes. Above
 * them, the oldest task of the user with the most tasks or bytes is dropped. A task that is larger
 * than `maxBytes` is not kept.
 */
export class MemoryTaskStore implements TaskStore {
  readonly #maxTasks: number;
  readonly #maxBytes: number;
  /** The tasks by id, in the order of their last save. */
  readonly #tasks = new Map<string, Kept>();
  readonly #users = new Map<string, UserTasks>();
  #bytes = 0;

  /** @throws AgentwireError `wrong-option` */
  constructor(options: MemoryTaskStoreOptions = {}) {
    knownOptions("MemoryTaskStore", options, ["maxTasks", "maxBytes"]);
    const { maxTasks = 1000, maxBytes = 64 * 1024 * 1024 } = options;
    must(
      typeof maxTasks === "number" && maxTasks > 0,
      "wrong-option",
      "option `maxTasks` is a number above 0",
    );
    must(
      typeof maxBytes === "number" && maxBytes > 0,
      "wrong-option",
      "option `maxBytes` is a number of bytes above 0",
    );
    [this.#maxTasks, this.#maxBytes] = [maxTasks, maxBytes];
  }

  load(id: string): StoredTask | undefined {
    const kept = this.#tasks.get(id);
    return kept && taskIn(kept);
  }

  save(task: StoredTask): void {
    const { id = "", user = "", contextId, status } = task;
    this.#delete(id);
    const json = encoder.encode(jsonText(task));
    this.#tasks.set(id, { user, contextId, state: status?.state, json });
    const own = this.#users.get(user) ?? { ids: new Set(), bytes: 0 };
    this.#users.set(user, own);
    own.ids.add(id);
    own.bytes += json.length;
    this.#bytes += json.length;
    while (this.#bytes > this.#maxBytes) {
      this.#deleteOldest(({ bytes }) => bytes);
    }
    while (this.#tasks.size > this.#maxTasks) {
      this.#deleteOldest(({ ids }) => ids.size);
    }
  }

  list({ user = "", contextId, status, pageSize, pageToken }: ListTasks): TaskPage {
    const all = [...this.#tasks.values()].reverse().filter((task) => {
      return (
        task.user === user &&
        (contextId ?? task.contextId) === task.contextId &&
        (status ?? task.state) === task.state
      );
    });
    const from = Number(pageToken ?? 0) || 0;
    const page = all.slice(from, from + (pageSize ?? PAGE_SIZE));
    let bytes = 0;
    const fitting = page.filter(
      ({ json }, number) => (bytes += json.length) <= PAGE_BYTES || number === 0,
    );
    const next = from + fitting.length;
    return {
      tasks: fitting.map(taskIn),
      nextPageToken: next < all.length ? String(next) : "",
      totalSize: all.length,
    };
  }

  /** Deletes the oldest task of the user with the most of something. */
  #deleteOldest(amountOf: (own: UserTasks) => number): void {
    const [first, ...others] = this.#users.values();
    const heaviest = others.reduce(
      (one, other) => (amountOf(other) > amountOf(one) ? other : one),
      first!,
    );
    const [oldest] = heaviest.ids;
    this.#delete(oldest!);
  }

  #delete(id: string): void {
    const kept = this.#tasks.get(id);
    if (kept === undefined) {
      return;
    }
    this.#tasks.delete(id);
    this.#bytes -= kept.json.length;
    const own = this.#users.get(kept.user)!;
    own.ids.delete(id);
    own.bytes -= kept.json.length;
    if (own.ids.size === 0) {
      this.#users.delete(kept.user);
    }
  }
}

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder();

function taskIn({ json }: Kept): StoredTask {
  return parseJson(decoder.decode(json)) as unknown as StoredTask;
}

/** The default `pageSize`. */
export const PAGE_SIZE = 50;

/** Returns a task for a store. */
export function owned(task: A2aTask, user: string): StoredTask {
  return user === "" ? task : { ...task, user };
}
