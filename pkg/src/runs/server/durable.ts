// The service on Durable Objects: each thread and each user is an object. The agent runs in the object of the thread.

import { knownOptions } from "../../core/arguments.js";
import type { RunsThreads } from "./local.js";
import { type RunsServiceOptions, SERVICE_OPTIONS, runsHandler, threadOptions } from "./create_runs.js";
import { type Sql, type SqlValue, SqlThread, TASKS_TABLE, createTables, setTask, tasksOf } from "./sql_store.js";
import { type Counted, Counts, type ThreadStore, type UserStore } from "./store.js";
import { Thread } from "./thread.js";

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
  getByName(name: string): { fetch(url: string, init?: { method?: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal }): Promise<Response> };
}

/** The options of {@link durableRuns}. */
export interface DurableRunsOptions<Env> extends RunsServiceOptions<Env> {
  /** The binding of the class `Thread`. */
  readonly threads: DurableObjects;
  /** The binding of the class `User`. */
  readonly users: DurableObjects;
}

/** An object of a service. */
export interface DurableRunsObject {
  fetch(request: Request): Promise<Response>;
  alarm?(): Promise<void>;
}

/** A class of objects of a service. */
export type DurableRunsClass<Env> = new (state: DurableState, env: Env) => DurableRunsObject;

/** A service on Durable Objects. */
export interface DurableRuns<Env> {
  /** Answers a request to one of the endpoints. */
  fetch(request: Request, env: Env, ctx?: unknown): Promise<Response>;
  /** The class of threads: export it, and bind it with SQLite storage. */
  readonly Thread: DurableRunsClass<Env>;
  /** The class of users: export it, and bind it with SQLite storage. */
  readonly User: DurableRunsClass<Env>;
}

/**
 * Creates a service with the runs endpoints on Durable Objects. `options` receives the bindings, in the worker and in the objects.
 *
 * ```js
 * const runs = durableRuns((env) => ({ threads: env.THREADS, users: env.USERS, authenticate, agent }));
 * export const { Thread, User } = runs;
 * export default { fetch: runs.fetch };
 * ```
 */
export function durableRuns<Env extends object>(options: (env: Env) => DurableRunsOptions<Env>): DurableRuns<Env> {
  const checked = (env: Env): DurableRunsOptions<Env> => {
    const given = options(env);
    knownOptions("durableRuns()", given as object as Record<string, unknown>, ["threads", "users", ...SERVICE_OPTIONS]);
    return given;
  };
  const handlers = new WeakMap<Env, ReturnType<typeof runsHandler<Env>>>();
  return {
    fetch(request, env, ctx) {
      let handler = handlers.get(env);
      if (handler === undefined) {
        const { threads, users, ...service } = checked(env);
        handler = runsHandler(service, remoteThreads(threads, users));
        handlers.set(env, handler);
      }
      return handler(request, env, ctx);
    },
    Thread: class implements DurableRunsObject {
      readonly #open: (threadId: string) => Thread;
      readonly #sql: Sql;
      #thread: Thread | undefined;

      constructor({ storage }: DurableState, env: Env) {
        this.#sql = durableSql(storage);
        const { users, threads: _, ...service } = checked(env);
        const schedule = async (at: number): Promise<void> => {
          await storage.setAlarm(at);
          await storage.sync();
        };
        const threadsOptions = { ...threadOptions(service, env), schedule };
        this.#open = (threadId) => new Thread(threadId, new SqlThread(this.#sql, threadId), remoteUsers(users), threadsOptions);
        // Without a request, the thread is that of the storage: its active run is recovered.
        const [threadId] = threadsIn(this.#sql);
        this.#thread = threadId === undefined ? undefined : this.#open(threadId);
      }

      async fetch(request: Request): Promise<Response> {
        const [, method = "", threadId = ""] = new URL(request.url).pathname.split("/");
        const thread = (this.#thread ??= this.#open(threadId));
        const [first, ...rest] = (await request.json()) as unknown[];
        try {
          return method === "events"
            ? await thread.events(first as Parameters<Thread["events"]>[0], request.signal)
            : answered(await (thread[method as Exclude<keyof RunsThreads & keyof Thread, "events">] as (...values: unknown[]) => unknown).call(thread, first, ...rest));
        } finally {
          this.#forget(thread);
        }
      }

      async alarm(): Promise<void> {
        const [threadId] = threadsIn(this.#sql);
        if (threadId !== undefined) {
          const thread = (this.#thread ??= this.#open(threadId));
          await thread.work().catch((error: unknown) => {
            thread.close();
            this.#thread = undefined;
            // The platform repeats the alarm.
            throw error;
          });
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

function durableSql(storage: DurableStorage): Sql {
  const { sql } = storage;
  const database: Sql = {
    run: (statement, ...values) => void sql.exec(statement, ...values),
    rows: <Row>(query: string, ...values: SqlValue[]) => sql.exec(query, ...values) as Iterable<Row>,
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
  const isThere = [...sql.rows("SELECT 1 FROM sqlite_master WHERE name = 'thread_runs'")].length > 0;
  return isThere ? Array.from(sql.rows<{ thread: string }>("SELECT thread FROM threads"), ({ thread }) => thread) : [];
}

/** Returns the answer of an object to a call. */
function answered(value: unknown): Response {
  return Response.json({ value });
}

const JSON_BODY = { "content-type": "application/json" };

/** Calls a method of an object. */
async function call<T>(objects: DurableObjects, name: string, method: string, ...values: unknown[]): Promise<T> {
  const url = `https://object/${method}/${encodeURIComponent(name)}`;
  const response = await objects.getByName(name).fetch(url, { method: "POST", headers: JSON_BODY, body: JSON.stringify(values) });
  return ((await response.json()) as { readonly value: T }).value;
}

function remoteThreads(threads: DurableObjects, users: DurableObjects): RunsThreads {
  return {
    create: (threadId, run) => call(threads, threadId, "create", run),
    cancel: (threadId, owner, runId) => call(threads, threadId, "cancel", owner, runId),
    mayWrite: (threadId, owner) => call(threads, threadId, "mayWrite", owner),
    mayFollow: (threadId, owner, runId) => call(threads, threadId, "mayFollow", owner, runId),
    delete: (threadId, owner) => call(threads, threadId, "delete", owner),
    // JSON has no undefined: the defaults are given.
    history: (threadId, owner, before = "9999-99-99", beforeSeq = Number.MAX_SAFE_INTEGER) => call(threads, threadId, "history", owner, before, beforeSeq),
    events: (threadId, run, signal) =>
      threads.getByName(threadId).fetch(`https://object/events/${threadId}`, { method: "POST", headers: JSON_BODY, body: JSON.stringify([run]), signal }),
    entries: (threadId, owner, runId, until) => call(threads, threadId, "entries", owner, runId, until),
    latestThread: (user) => remoteUsers(users).latestThread(user),
    tasks: (user) => remoteUsers(users).tasks(user),
    setTask: (user, threadId, task) => remoteUsers(users).setTask(user, threadId, task),
  };
}

function remoteUsers(users: DurableObjects) {
  return {
    latestThread: (user) => call<string | undefined>(users, user, "latestThread"),
    setLatestThread: (user, threadId) => call<void>(users, user, "setLatestThread", threadId),
    count: (user, kind, threadId, count) => call<number>(users, user, "count", kind, threadId, count),
    setTask: (user, threadId, task) => call<void>(users, user, "setTask", threadId, task),
    tasks: (user) => call<[threadId: string, task: string][]>(users, user, "tasks"),
  } satisfies UserStore;
}

/** Milliseconds for which the number of a thread's runs is valid. A thread whose process was killed restarts by its alarm. */
const HOLDS = 15 * 60 * 1000;

const USER_TABLES = [
  "CREATE TABLE IF NOT EXISTS threads (number INTEGER PRIMARY KEY AUTOINCREMENT, thread_id TEXT NOT NULL UNIQUE)",
  `CREATE TABLE IF NOT EXISTS under_way (
    kind TEXT NOT NULL, thread_id TEXT NOT NULL, count INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (kind, thread_id)
  )`,
  TASKS_TABLE,
];

/** A user: the latest thread, the A2A tasks, and the numbers of active runs and connections of the user's threads. */
class User implements DurableRunsObject {
  readonly #sql: DurableStorage["sql"];
  readonly #tables: Pick<Sql, "run" | "rows">;
  readonly #connections = new Counts();
  #isReady = false;

  constructor({ storage }: DurableState) {
    const { sql } = storage;
    this.#sql = sql;
    this.#tables = {
      run: (statement, ...values) => void sql.exec(statement, ...values),
      rows: <Row>(query: string, ...values: SqlValue[]) => sql.exec(query, ...values) as Iterable<Row>,
    };
  }

  async fetch(request: Request): Promise<Response> {
    const [, method] = new URL(request.url).pathname.split("/");
    const values = (await request.json()) as unknown[];
    switch (method) {
      case "latestThread":
        return answered(this.#latest());
      case "setLatestThread":
        this.#ready();
        this.#sql.exec("INSERT OR REPLACE INTO threads (thread_id) VALUES (?)", values[0] as string);
        return answered(null);
      case "setTask":
        this.#ready();
        setTask(this.#tables, "", values[0] as string, values[1] as string | null);
        return answered(null);
      case "tasks":
        return answered(this.#has("user_tasks") ? tasksOf(this.#tables, "") : []);
      default:
        return answered(this.#count(...(values as [kind: Counted, threadId: string, count: number])));
    }
  }

  #latest(): string | undefined {
    const rows = this.#has("threads") ? [...this.#sql.exec("SELECT thread_id FROM threads ORDER BY number DESC LIMIT 1")] : [];
    return (rows as { readonly thread_id: string }[])[0]?.thread_id;
  }

  #count(kind: Counted, threadId: string, count: number): number {
    const now = Date.now();
    if (kind === "connections") {
      return this.#connections.set("", kind, threadId, count, now);
    }
    this.#ready();
    this.#sql.exec("DELETE FROM under_way WHERE until < ? OR (kind = ? AND thread_id = ?)", now, kind, threadId);
    if (count > 0) {
      this.#sql.exec("INSERT INTO under_way (kind, thread_id, count, until) VALUES (?, ?, ?, ?)", kind, threadId, count, now + HOLDS);
    }
    const [row] = this.#sql.exec('SELECT coalesce(sum(count), 0) AS "all" FROM under_way WHERE kind = ?', kind) as Iterable<{ readonly all: number }>;
    return row!.all;
  }

  /** Returns whether a table exists: an object that is only read stays empty. */
  #has(table: string): boolean {
    return [...this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", table)].length > 0;
  }

  #ready(): void {
    if (!this.#isReady) {
      USER_TABLES.forEach((statement) => this.#sql.exec(statement));
      this.#isReady = true;
    }
  }
}

/** The statements that upgrade the tables of a thread that an earlier version has written, from each version to the next. */
const VERSIONS: readonly (readonly string[])[] = [
  [
    // Logs that version 1 shortened have other numbers than their cursors: a new generation makes those cursors invalid.
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
    // Version 1 stored the result of a tool without the id of its call: such a message is not for the agent.
    `INSERT INTO thread_messages (seq, thread, run_id, id, role, content, extra, message, is_shown, at)
      SELECT seq, thread, run_id, id, role, content, extra,
        coalesce(message, iif(role = 'tool', 'null', json_object('id', id, 'role', role, 'content', content))), is_shown, at
      FROM messages, threads`,
    ...["events", "messages", "runs", "meta"].map((table) => `DROP TABLE ${table}`),
  ],
];

/** Upgrades the tables of an earlier version, in the transaction of the caller. */
function upgrade(sql: Sql): void {
  if ([...sql.rows("SELECT 1 FROM sqlite_master WHERE name = 'meta'")].length === 0) {
    return;
  }
  const [version] = [...sql.rows<{ v: string }>("SELECT v FROM meta WHERE k = 'schema'")];
  createTables(sql);
  VERSIONS.slice(Number(version?.v ?? 1) - 1).flat().forEach((statement) => sql.run(statement));
}
