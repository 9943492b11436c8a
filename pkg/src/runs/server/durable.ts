// A handler whose store is Durable Objects: each thread and each user is an object. The agent runs in the
// object of the thread.

import { type Handler, type HandlerOptions, createHandler, hostOf } from "../../server/handler.js";
import { type HandlerStore, SERVICE } from "../../server/service.js";
import { serviceOn, threadOptions } from "./handler_service.js";
import type { RunsThreads } from "./local.js";
import {
  type Sql,
  type SqlValue,
  SqlThread,
  TASKS_TABLE,
  createTables,
  hasTable,
  setTask,
  tasksOf,
  withTexts,
} from "./sql_store.js";
import { type CountKind, Counts, type ThreadStore, type UserStore } from "./store.js";
import { storable } from "./texts.js";
import { Thread, type ThreadMethod } from "./thread.js";
import type { FollowedRun } from "./thread_options.js";

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
      readonly #sql: Sql;
      #thread: Thread | undefined;
      /** The number of times in a row that the work of the thread has failed. */
      #failures = 0;

      constructor({ storage }: DurableState, env: Env) {
        this.#sql = durableSql(storage);
        const { threads, users, handler } = opened(env);
        const host = hostOf<Env, any>("durableHandler()", handler);
        const schedule = async (at: number): Promise<void> => {
          await storage.setAlarm(at);
          await storage.sync();
        };
        const options = { ...threadOptions(host, () => threads), schedule };
        this.#open = (threadId) =>
          new Thread(threadId, new SqlThread(this.#sql, threadId), remoteUsers(users), {
            ...options,
            failures: this.#failures,
          });
        // Without a request, the thread is that of the storage: its active run is recovered.
        const [threadId] = threadsIn(this.#sql);
        this.#thread = threadId === undefined ? undefined : this.#open(threadId);
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
        const [threadId] = threadsIn(this.#sql);
        if (threadId !== undefined) {
          const thread = (this.#thread ??= this.#open(threadId));
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

/** Returns the store of the one thread of an object. */
export function durableThread(storage: DurableStorage, threadId: string): ThreadStore {
  return new SqlThread(durableSql(storage), threadId);
}

/** Returns the functions that run statements, without the upgrade of earlier tables. */
function tablesOf({ sql }: DurableStorage): Pick<Sql, "run" | "rows"> {
  return withTexts({
    run: (statement, ...values) => void sql.exec(statement, ...values),
    rows: <Row>(query: string, ...values: SqlValue[]) =>
      sql.exec(query, ...values) as Iterable<Row>,
  });
}

function durableSql(storage: DurableStorage): Sql {
  const database: Sql = {
    ...tablesOf(storage),
    together(work) {
      const result = storage.transactionSync(work);
      // Inside of the object, writes are visible before they are durable.
      return storage.sync().then(() => result);
    },
  };
  storage.transactionSync(() => upgrade(database));
  return database;
}

/** Returns the thread of an object, if it has one. */
function threadsIn(sql: Sql): string[] {
  return hasTable(sql, "thread_runs")
    ? Array.from(sql.rows<{ thread: string }>("SELECT thread FROM threads"), ({ thread }) => thread)
    : [];
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

const USER_TABLES = [
  "CREATE TABLE IF NOT EXISTS threads (number INTEGER PRIMARY KEY AUTOINCREMENT, thread_id TEXT NOT NULL UNIQUE)",
  `CREATE TABLE IF NOT EXISTS under_way (
    kind TEXT NOT NULL, thread_id TEXT NOT NULL, count INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (kind, thread_id)
  )`,
  TASKS_TABLE,
];

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
  readonly #sql: Pick<Sql, "run" | "rows">;
  readonly #connections = new Counts();
  #isReady = false;

  constructor({ storage }: DurableState) {
    this.#sql = tablesOf(storage);
  }

  async fetch(request: Request): Promise<Response> {
    const [, method] = new URL(request.url).pathname.split("/") as ["", keyof UserStore];
    return answered(
      (this.#methods[method] as (...values: unknown[]) => unknown)(
        ...((await request.json()) as unknown[]),
      ),
    );
  }

  /**
   * The methods of the store without the user, who is that of the object. An object that is only
   * read stays empty.
   */
  readonly #methods: UserMethods = {
    latestThread: () => {
      const [row] = hasTable(this.#sql, "threads")
        ? this.#sql.rows<{ thread_id: string }>(
            "SELECT thread_id FROM threads ORDER BY number DESC LIMIT 1",
          )
        : [];
      return row?.thread_id;
    },
    setLatestThread: (threadId) =>
      this.#ready().run("INSERT OR REPLACE INTO threads (thread_id) VALUES (?)", threadId),
    setTask: (threadId, task) => setTask(this.#ready(), "", threadId, task),
    tasks: () => (hasTable(this.#sql, "user_tasks") ? tasksOf(this.#sql, "") : []),
    count: (kind, threadId, count) => this.#count(kind, threadId, count),
  };

  #count(kind: CountKind, threadId: string, count: number): number {
    const now = Date.now();
    if (kind === "connections") {
      return this.#connections.set("", kind, threadId, count, now);
    }
    const sql = this.#ready();
    sql.run(
      "DELETE FROM under_way WHERE until < ? OR (kind = ? AND thread_id = ?)",
      now,
      kind,
      threadId,
    );
    if (count > 0) {
      sql.run(
        "INSERT INTO under_way (kind, thread_id, count, until) VALUES (?, ?, ?, ?)",
        kind,
        threadId,
        count,
        now + HOLDS,
      );
    }
    const [row] = sql.rows<{ readonly all: number }>(
      'SELECT coalesce(sum(count), 0) AS "all" FROM under_way WHERE kind = ?',
      kind,
    );
    return row!.all;
  }

  /** Creates the tables. */
  #ready(): Pick<Sql, "run" | "rows"> {
    if (!this.#isReady) {
      USER_TABLES.forEach((statement) => this.#sql.run(statement));
      this.#isReady = true;
    }
    return this.#sql;
  }
}

/**
 * The statements that upgrade the tables of a thread that an earlier version has written, from each
 * version to the next.
 */
const VERSIONS: readonly (readonly string[])[] = [
  [
    // Logs that version 1 shortened have other numbers than their cursors: a new generation makes
    // those cursors invalid.
    "CREATE TABLE IF NOT EXISTS shortened (run_id TEXT PRIMARY KEY, began INTEGER NOT NULL)",
    "UPDATE meta SET v = substr(lower(hex(randomblob(4))), 1, 8) WHERE k = 'generation' AND EXISTS (SELECT 1 FROM shortened)",
    "ALTER TABLE runs ADD COLUMN is_short INTEGER NOT NULL DEFAULT 0",
    "UPDATE runs SET is_short = 1 WHERE run_id IN (SELECT run_id FROM shortened)",
    "DROP TABLE shortened",
    "ALTER TABLE events ADD COLUMN pieces TEXT",
    "ALTER TABLE messages ADD COLUMN message TEXT",
    "ALTER TABLE messages ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 1",
  ],
  [
    `INSERT INTO threads SELECT
      (SELECT v FROM meta WHERE k = 'thread'), (SELECT v FROM meta WHERE k = 'owner'), (SELECT v FROM meta WHERE k = 'generation'),
      coalesce((SELECT v FROM meta WHERE k = 'base'), ''),
      max(coalesce((SELECT max(number) FROM events), 0), coalesce((SELECT max(terminal) FROM runs), 0)),
      (SELECT coalesce(sum(octet_length(data) + coalesce(octet_length(pieces), 0)), 0) FROM events)`,
    `INSERT INTO thread_runs (thread, run_id, task_id, status, hash, idempotency_key, input, created, cancelled, attempts, terminal, at, is_short)
      SELECT thread, run_id, task_id, status, hash, idempotency_key, input, created, cancelled, attempts, terminal, at, is_short
      FROM runs, threads ORDER BY runs.rowid`,
    "INSERT INTO run_events SELECT id, number, kind, data, pieces FROM events JOIN thread_runs USING (run_id)",
    // Version 1 stored the result of a tool without the id of its call: such a message is not for
    // the agent.
    `INSERT INTO thread_messages (seq, thread, run_id, id, role, content, extra, message, is_shown, at)
      SELECT seq, thread, run_id, id, role, content, extra,
        coalesce(message, iif(role = 'tool', 'null', json_object('id', id, 'role', role, 'content', content))), is_shown, at
      FROM messages, threads`,
    ...["events", "messages", "runs", "meta"].map((table) => `DROP TABLE ${table}`),
  ],
];

/** Upgrades the tables of an earlier version, in the transaction of the caller. */
function upgrade(sql: Sql): void {
  if (!hasTable(sql, "meta")) {
    return;
  }
  const [version] = [...sql.rows<{ v: string }>("SELECT v FROM meta WHERE k = 'schema'")];
  createTables(sql);
  VERSIONS.slice(Number(version?.v ?? 1) - 1)
    .flat()
    .forEach((statement) => sql.run(statement));
}
