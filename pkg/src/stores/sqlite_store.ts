// Stores in SQLite databases: a file, by `node:sqlite` or `better-sqlite3`.

import { must } from "../core/errors.js";
import { builtinModule } from "../core/optional_package.js";
import type { LogStore } from "./log_store.js";
import { type SqlRow, SqlStore, type SqlValue } from "./sql_store.js";

/** The used part of `DatabaseSync` of `node:sqlite`, and of `Database` of `better-sqlite3`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

interface SqliteStatement {
  /** Whether the statement has rows: only `better-sqlite3` has this property. */
  readonly reader?: boolean | undefined;
  run(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

/** A store in a SQLite database. */
export interface SqliteStore extends LogStore {
  /** Closes the database. */
  close(): void;
}

/** See `agentwire/stores`. */
export function sqliteStore(database: string | SqliteDatabase): SqliteStore {
  const opened = typeof database === "string" ? opening(database) : database;
  // An exclusive lock, so that two processes cannot both run the agents of the file.
  [
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    // The lock is taken with the first statement that writes.
    "BEGIN IMMEDIATE",
    "COMMIT",
  ].forEach((statement) => opened.exec(statement));
  return new Sqlite(opened);
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

class Sqlite extends SqlStore implements SqliteStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    const prepared = new Map<string, SqliteStatement>();
    const run = (sql: string, values: readonly SqlValue[]): SqlRow[] => {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      if (statement.reader === false) {
        statement.run(...values);
        return [];
      }
      return statement.all(...values) as SqlRow[];
    };
    super({
      dialect: "sqlite",
      execute(statements) {
        if (statements.length === 1) {
          return statements.map(({ sql, values }) => run(sql, values));
        }
        database.exec("BEGIN IMMEDIATE");
        try {
          const results = statements.map(({ sql, values }) => run(sql, values));
          database.exec("COMMIT");
          return results;
        } catch (error) {
          try {
            database.exec("ROLLBACK");
          } catch {
            // After some errors, such as a full disk, SQLite has done it.
          }
          throw error;
        }
      },
    });
    this.#database = database;
  }

  close(): void {
    this.#database.close();
  }
}
