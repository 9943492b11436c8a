// The data of users in a store: lists of tasks, and counts. Each entry is a log without entries.

import type { ListedLog, LogQuery, LogStore } from "../../stores/log_store.js";
import { original, storable } from "../../core/texts.js";
import { Counts } from "./counts.js";
import type { Processes } from "./processes.js";
import type { UserStore } from "./store.js";
import { labelOf, threadsLabel } from "./labels.js";

/** The number of logs that are listed at once. */
const PAGE = 256;

/** Yields the logs of a list. */
export async function* listed(
  store: LogStore,
  query: { readonly label: string } | { readonly due: number },
): AsyncGenerator<ListedLog, void, undefined> {
  let after: ListedLog | undefined;
  do {
    const page = await store.list({ ...query, after, limit: PAGE } as LogQuery);
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1);
  } while (after !== undefined);
}

/** The users of a store. */
export class StoredUsers implements UserStore {
  readonly #store: LogStore;
  readonly count: UserStore["count"];

  constructor(store: LogStore, count: UserStore["count"]) {
    [this.#store, this.count] = [store, count];
  }

  async latestThread(user: string): Promise<string | undefined> {
    const [latest] = await this.#store.list({ label: await threadsLabel(user), limit: 1 });
    return latest && threadIn(latest);
  }

  /** The log of a thread is in the list of its user already, unless it is in another store. */
  async setLatestThread(_user: string, _threadId: string): Promise<void> {}

  async setTask(user: string, threadId: string, task: string | null): Promise<void> {
    const label = await labelOf("tasks", user);
    const log = `${label}/${threadId}`;
    await (task === null
      ? this.#store.delete(log)
      : this.#store.append(log, 0, [], { label, at: Date.now(), data: storable(task) }));
  }

  async tasks(user: string): Promise<[threadId: string, task: string][]> {
    const tasks: [string, string][] = [];
    for await (const task of listed(this.#store, { label: await labelOf("tasks", user) })) {
      tasks.push([threadIn(task), original(task.head.data)]);
    }
    return tasks;
  }
}

/** Returns the function that counts in a store of one process: in memory. */
export function countInMemory(): UserStore["count"] {
  const counts = new Counts();
  return (user, kind, place, count) => counts.set(user, kind, place, count, Date.now(), Infinity);
}

/**
 * Returns the function that counts in a store that several processes use: each count is a log,
 * which is valid while its process lives.
 */
export function countByProcess(store: LogStore, processes: Processes): UserStore["count"] {
  /** The counts that this process has stored. */
  const own = new Map<string, number>();
  return async (user, kind, place, count) => {
    await processes.taken();
    const label = await labelOf(kind, user);
    const log = `${label}/${processes.id}/${place}`;
    if ((own.get(log) ?? 0) !== count) {
      await (count === 0
        ? store.delete(log)
        : store.append(log, 0, [], { label, at: Date.now(), data: String(count) }));
      own.delete(log);
      if (count > 0) {
        own.set(log, count);
      }
    }
    let sum = 0;
    const living = new Map<string, boolean>();
    for await (const { log, head } of listed(store, { label })) {
      const [, , process = ""] = log.split("/");
      const isAlive = living.get(process) ?? (await processes.isAlive(process));
      living.set(process, isAlive);
      if (isAlive) {
        sum += Number(head.data);
      } else {
        await store.delete(log);
      }
    }
    return sum;
  };
}

/** Returns the thread in the name of a log, which is its last part. */
function threadIn({ log }: ListedLog): string {
  return log.slice(log.lastIndexOf("/") + 1);
}
