// A handler whose store is Durable Objects: each thread and each user is an object. The agent runs in the
// object of the thread.

import { type Handler, type HandlerOptions, createHandler, hostOf } from "../../server/handler.js";
import { type HandlerStore, SERVICE } from "../../server/service.js";
import { serviceOn, threadOptions } from "./handler_service.js";
import type { RunsThreads } from "./local.js";
import { type SqlRow, SqlStore, type SqlValue } from "../../stores/sql_store.js";
import { type LogStore, watchedName } from "../../stores/log_store.js";
import { storable } from "../../core/texts.js";
import { Counts } from "./counts.js";
import type { UserStore } from "./store.js";
import { Thread, type ThreadMethod } from "./thread.js";
import { threadsLabel } from "./labels.js";
import { ThreadLog } from "./thread_log.js";
import type { FollowedRun } from "./thread_options.js";
import { StoredUsers, listed } from "./users.js";

/** The used part of the storage of an object. */
export interface DurableStorage {
  readonly sql: { exec(query: string, ...values: SqlValue[]): Iterable<unknown> };
  transactionSync<T>(work: () => T): T;
  sync(): Promise<void>;
  setAlarm(at: number): Promise<void>;
}

/** The used part of the state of an object. */
export interface DurableState {
  readonly storage: DurableStorage;
}

/** A binding to a class of objects. */
export interface DurableObjects {
  getByName(name: string): {
    fetch(
      url: string,
      init?: {
        method?: string;
        headers?: Record<string, string>;
        body?: string;
        signal?: AbortSignal;
      },
    ): Promise<Response>;
  };
}

/** The options of {@link durableHandler}. */
export interface DurableHandlerOptions<Env>
  extends Omit<HandlerOptions<Env, any>, "store" | "env"> {
  /** The binding of the class `Thread`. */
  readonly threads: DurableObjects;
  /** The binding of the class `User`. */
  readonly users: DurableObjects;
}

/** An object of a handler. */
export interface DurableHandlerObject {
  fetch(request: Request): Promise<Response>;
  alarm?(): Promise<void>;
}

/** A class of objects of a handler. */
export type DurableHandlerClass<Env> = new (state: DurableState, env: Env) => DurableHandlerObject;

/** A handler with its objects. */
export interface DurableHandler<Env> {
  /** Answers a request. */
  fetch(request: Request, env: Env, ctx?: unknown): Promise<Response>;
  /** The class of threads: export it, and bind it with SQLite storage. */
  readonly Thread: DurableHandlerClass<Env>;
  /** The class of users: export it, and bind it with SQLite storage. */
  readonly User: DurableHandlerClass<Env>;
}

/**
 * Creates a handler whose store is Durable Objects: `createHandler` on Cloudflare Workers. `options`
 * receives the bindings, in the worker and in the objects, and returns the options of
 * `createHandler` with the bindings of the two classes.
 *
 * ```js
 * const handler = durableHandler((env) => ({ threads: env.THREADS, users: env.USERS, authenticate, agent }));
 * export const { Thread, User } = handler;
 * export default { fetch: handler.fetch };
 * ```
 */
export function durableHandler<Env extends object>(
  options: (env: Env) => DurableHandlerOptions<Env>,
): DurableHandler<Env> {
  /** Returns the options of the handler, and its threads. */
  const opened = (env: Env) => {
    const { threads: objects, users, ...handler } = options(env);
    const threads = remoteThreads(objects, users);
    const store: HandlerStore = {
      [SERVICE]: (host) => ({ ...serviceOn(host, threads), close: async () => {} }),
    };
    return { threads, users, handler: { ...handler, store, env } };
  };
  const handlers = new WeakMap<Env, Handler<Env>>();
  return {
    fetch(request, env, ctx) {
      let handler = handlers.get(env);
      if (handler === undefined) {
        handler = createHandler<Env>(opened(env).handler);
        handlers.set(env, handler);
      }
      return handler(request, env, ctx);
    },
    Thread: class implements DurableHandlerObject {
      readonly #open: (threadId: string) => Thread;
      readonly #store: LogStore;
      #thread: Thread | undefined;
      /** The number of times in a row that the work of the thread has failed. */
      #failures = 0;

      constructor({ storage }: DurableState, env: Env) {
        this.#store = durableStore(storage);
        const { threads, users, handler } = opened(env);
        const host = hostOf<Env, any>("durableHandler()", handler);
        const schedule = async (at: number): Promise<void> => {
          await storage.setAlarm(at);
          await storage.sync();
        };
        const options = { ...threadOptions(host, () => threads), schedule };
        this.#open = (threadId) =>
          new Thread(threadId, new ThreadLog(this.#store, threadId), remoteUsers(users), {
            ...options,
            failures: this.#failures,
          });
      }

      async fetch(request: Request): Promise<Response> {
        const [, method = "", threadId = ""] = new URL(request.url).pathname.split("/");
        const thread = (this.#thread ??= this.#open(threadId));
        const values = (await request.json()) as unknown[];
        try {
          return method === "events"
            ? await thread.events(values[0] as FollowedRun, request.signal)
            : answered(
                await thread.call(
                  method as ThreadMethod,
                  values as Parameters<Thread[ThreadMethod]>,
                ),
              );
        } finally {
          this.#forget(thread);
        }
      }

      async alarm(): Promise<void> {
        // Without a request, the thread is that of the storage.
        const [due] = await this.#store.list({ due: Infinity, limit: 1 });
        if (due !== undefined) {
          const thread = (this.#thread ??= this.#open(watchedName(due.log)));
          const failed = (error: unknown): never => {
            this.#failures++;
            thread.close();
            this.#thread = undefined;
            // The platform repeats the alarm.
            throw error;
          };
          await thread.work().then(() => void (this.#failures = 0), failed);
        }
      }

      /** Removes a thread that has failed to open. */
      #forget(thread: Thread): void {
        if (thread.hasFailed) {
          this.#thread = undefined;
        }
      }
    },
    User,
  };
}

/** Returns the store in the storage of an object. */
export function durableStore(storage: DurableStorage): LogStore {
  const { sql } = storage;
  return new SqlStore({
    dialect: "sqlite",
    execute(statements) {
      const run = (): SqlRow[][] =>
        statements.map(({ sql: query, values }) =>
          Array.from(sql.exec(query, ...values) as Iterable<SqlRow>),
        );
      if (statements.every(({ sql }) => sql.startsWith("SELECT"))) {
        return run();
      }
      const results = storage.transactionSync(run);
      // Inside of the object, writes are visible before they are durable.
      return storage.sync().then(() => results);
    },
  });
}

/** Returns the answer of an object to a call. */
function answered(value: unknown): Response {
  return Response.json({ value });
}

const JSON_BODY = { "content-type": "application/json" };

/** Calls a method of an object. */
async function call<T>(
  objects: DurableObjects,
  subject: string,
  method: string,
  ...values: unknown[]
): Promise<T> {
  // Different users are different objects, whatever the platform does with unpaired surrogates and
  // NUL.
  const name = storable(subject);
  const url = `https://object/${method}/${encodeURIComponent(name)}`;
  const response = await objects
    .getByName(name)
    .fetch(url, { method: "POST", headers: JSON_BODY, body: JSON.stringify(values) });
  return ((await response.json()) as { readonly value: T }).value;
}

function remoteThreads(threads: DurableObjects, users: DurableObjects): RunsThreads {
  return {
    call: (threadId, method, ...values) => call(threads, threadId, method, ...values),
    events: (threadId, run, signal) =>
      threads.getByName(threadId).fetch(`https://object/events/${threadId}`, {
        method: "POST",
        headers: JSON_BODY,
        body: JSON.stringify([run]),
        signal,
      }),
    ...remoteUsers(users),
  };
}

function remoteUsers(users: DurableObjects) {
  return {
    latestThread: (user) => call<string | undefined>(users, user, "latestThread"),
    setLatestThread: (user, threadId) => call<void>(users, user, "setLatestThread", threadId),
    count: (user, kind, threadId, count) =>
      call<number>(users, user, "count", kind, threadId, count),
    setTask: (user, threadId, task) => call<void>(users, user, "setTask", threadId, task),
    tasks: (user) => call<[threadId: string, task: string][]>(users, user, "tasks"),
  } satisfies UserStore;
}

/**
 * Milliseconds for which the number of a thread's runs is valid. A thread whose process was killed
 * restarts by its alarm.
 */
const HOLDS = 15 * 60 * 1000;

/** The methods of a store of users, without their first parameter. */
type UserMethods = {
  readonly [M in keyof UserStore]-?: NonNullable<UserStore[M]> extends (
    user: string,
    ...values: infer V
  ) => unknown
    ? (...values: V) => unknown
    : never;
};

/**
 * A user: the latest thread, the A2A tasks, and the numbers of active runs and connections of the
 * user's threads.
 */
class User implements DurableHandlerObject {
  readonly #store: LogStore;
  readonly #connections = new Counts();

  constructor({ storage }: DurableState) {
    this.#store = durableStore(storage);
  }

  async fetch(request: Request): Promise<Response> {
    const [, method] = new URL(request.url).pathname.split("/") as ["", keyof UserStore];
    const values = (await request.json()) as unknown[];
    return answered(await (this.#methods[method] as (...values: unknown[]) => unknown)(...values));
  }

  /** The methods of the store without the user, who is that of the object. */
  get #methods(): UserMethods {
    const users = new StoredUsers(this.#store, () => 0);
    return {
      latestThread: () => users.latestThread(""),
      setLatestThread: async (threadId) => {
        const label = await threadsLabel("");
        const head = { label, at: Date.now(), data: "" };
        await this.#store.append(`${label}/${threadId}`, 0, [], head);
      },
      setTask: (threadId, task) => users.setTask("", threadId, task),
      tasks: () => users.tasks(""),
      count: (kind, place, count) =>
        kind === "runs"
          ? this.#countRuns(place, count)
          : this.#connections.set("", kind, place, count, Date.now()),
    };
  }

  async #countRuns(place: string, count: number): Promise<number> {
    const [label, now] = ["runs", Date.now()];
    const log = `${label}/${place}`;
    await (count === 0
      ? this.#store.delete(log)
      : this.#store.append(log, 0, [], { label, at: now + HOLDS, data: String(count) }));
    let sum = 0;
    for await (const { log, head } of listed(this.#store, { label })) {
      if (head.at < now) {
        await this.#store.delete(log);
      } else {
        sum += Number(head.data);
      }
    }
    return sum;
  }
}
