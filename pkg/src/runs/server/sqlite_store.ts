// The store in a SQLite file, by Node's own module.

import { handlerStore } from "./handler_service.js";
import type { HandlerStore } from "../../server/service.js";
import { must } from "../../core/errors.js";
import { builtinModule } from "./optional_package.js";
import {
  type Sql,
  type SqlValue,
  SqlThread,
  TASKS_TABLE,
  createTables,
  setTask,
  tasksOf,
  withTexts,
} from "./sql_store.js";
import { type CountKind, Counts, type RunsStore, type ThreadStore } from "./store.js";

/** The used part of `DatabaseSync` of `node:sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

interface SqliteStatement {
  run(...values: SqlValue[]): unknown;
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

/** A store in a SQLite database. */
export interface SqliteStore extends RunsStore {
  /** Closes the database. */
  close(): void;
}

/**
 * Returns a store in a SQLite file, or in an open database of `node:sqlite`. The file belongs to
 * one process: a second one cannot open it. It needs Node 22.13 or later.
 *
 * @throws AgentwireError `wrong-option` if the platform has no `node:sqlite`; the error of SQLite
 * if the file cannot be opened
 */
export function sqliteStore(database: string | SqliteDatabase): SqliteStore & HandlerStore {
  const opened = typeof database === "string" ? opening(database) : database;
  // An exclusive lock, so that two processes cannot both run the agents of the file.
  [
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
  ].forEach((pragma) => opened.exec(pragma));
  return handlerStore(new Sqlite(opened));
}

function opening(path: string): SqliteDatabase {
  const sqlite = builtinModule<{ readonly DatabaseSync: new (path: string) => SqliteDatabase }>(
    "node:sqlite",
  );
  must(
    sqlite !== undefined,
    "wrong-option",
    "sqliteStore(): this platform has no `node:sqlite`, which Node has from version 22.13",
  );
  return new sqlite.DatabaseSync(path);
}

class Sqlite implements SqliteStore {
  readonly #database: SqliteDatabase;
  readonly #sql: Sql;
  readonly #counts = new Counts();

  constructor(database: SqliteDatabase) {
    this.#database = database;
    const statements = new Map<string, SqliteStatement>();
    const prepared = (sql: string): SqliteStatement => {
      const known = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, known);
      return known;
    };
    this.#sql = {
      ...withTexts({
        run: (statement, ...values) => void prepared(statement).run(...values),
        // A query that is left early keeps its statement busy, so it is not shared.
        rows: <Row>(query: string, ...values: SqlValue[]) =>
          database.prepare(query).iterate(...values) as Iterable<Row>,
      }),
      together(work) {
        database.exec("BEGIN IMMEDIATE");
        try {
          const result = work();
          database.exec("COMMIT");
          return result;
        } catch (error) {
          try {
            database.exec("ROLLBACK");
          } catch {
            // After some errors, such as a full disk, SQLite has done it.
          }
          throw error;
        }
      },
    };
    void this.#sql.together(() => {
      createTables(this.#sql);
      this.#sql.run(TASKS_TABLE);
    });
  }

  thread(threadId: string): ThreadStore {
    return new SqlThread(this.#sql, threadId);
  }

  latestThread(user: string): string | undefined {
    const [row] = this.#sql.rows<{ thread: string }>(
      "SELECT thread FROM latest_threads WHERE owner = ?",
      user,
    );
    return row?.thread;
  }

  setLatestThread(user: string, threadId: string): void {
    this.#sql.run(
      "INSERT OR REPLACE INTO latest_threads (owner, thread) VALUES (?, ?)",
      user,
      threadId,
    );
  }

  count(user: string, kind: CountKind, threadId: string, count: number): number {
    return this.#counts.set(user, kind, threadId, count, Date.now(), Infinity);
  }

  setTask(user: string, threadId: string, task: string | null): void {
    setTask(this.#sql, user, threadId, task);
  }

  tasks(user: string): [threadId: string, task: string][] {
    return tasksOf(this.#sql, user);
  }

  due(time: number): string[] {
    const query =
      "SELECT DISTINCT thread FROM thread_runs WHERE status IN ('queued', 'running') OR (status = 'ended' AND is_short = 0 AND at < ?)";
    return Array.from(this.#sql.rows<{ thread: string }>(query, time), ({ thread }) => thread);
  }

  close(): void {
    this.#database.close();
  }
}
