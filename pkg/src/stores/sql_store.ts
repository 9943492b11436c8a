// Stores in SQL databases. A driver runs the statements, in the dialect of SQLite or of Postgres.

import { AgentwireError } from "../core/errors.js";
import {
  type Awaitable,
  type ListedLog,
  type LogEntry,
  type LogHead,
  type LogPage,
  type LogQuery,
  type LogStore,
  watchedName,
} from "./log_store.js";

/** A value of a parameter. */
export type SqlValue = string | number | null;

/** A statement with the values of its parameters: `?` in SQLite, `$1` and so on in Postgres. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A row of a result, by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A connection to a SQL database. */
export interface SqlDriver {
  readonly dialect: "sqlite" | "postgres";
  /**
   * Runs statements in this order, in one transaction if there are several. Returns the rows of
   * each, when its writes are durable.
   */
  execute(statements: readonly SqlStatement[]): Awaitable<readonly (readonly SqlRow[])[]>;
  /**
   * Reports a change of the log `name`, or of one whose name begins with `name/`, to other
   * processes.
   */
  report?(name: string): void;
  /** Calls `changed` after reports of other processes, as `watch` of a store does. */
  watch?(name: string, changed: () => void): Awaitable<() => void>;
}

/** The columns of the two tables, by the dialect. */
const TABLES = {
  sqlite: [
    "CREATE TABLE IF NOT EXISTS agentwire_logs (log TEXT PRIMARY KEY, last INTEGER NOT NULL, label TEXT, at INTEGER NOT NULL, due INTEGER, data TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS agentwire_entries (log TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (log, position)) WITHOUT ROWID",
  ],
  postgres: [
    `CREATE TABLE IF NOT EXISTS agentwire_logs (log TEXT COLLATE "C" PRIMARY KEY, last BIGINT NOT NULL, label TEXT, at BIGINT NOT NULL, due BIGINT, data TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS agentwire_entries (log TEXT COLLATE "C" NOT NULL, position BIGINT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (log, position))`,
  ],
};
const INDEXES = [
  "CREATE INDEX IF NOT EXISTS agentwire_labels ON agentwire_logs (label, at, log) WHERE label IS NOT NULL",
  "CREATE INDEX IF NOT EXISTS agentwire_due ON agentwire_logs (due, log) WHERE due IS NOT NULL",
];

/** Returns the statements that create the tables and their indexes, unless they exist. */
export function tablesOf(dialect: SqlDriver["dialect"]): string[] {
  return [...TABLES[dialect], ...INDEXES];
}

/** Throws the error of a database with the tables of a version before this one. */
export function refuseOld(isOld: boolean, store: string): void {
  if (isOld) {
    throw new AgentwireError(
      "wrong-option",
      `${store}: the database was written by an earlier version, whose tables are not read any more: use another database, or delete them`,
    );
  }
}

/** See `agentwire/stores`. */
export function sqlStore(driver: SqlDriver): LogStore {
  return new SqlStore(driver);
}

/** Calls a function with a value when it is there: at once, unless it is a promise of any kind. */
function after<T, R>(value: Awaitable<T>, next: (value: T) => R): Awaitable<Awaited<R>> {
  const isThenable = typeof (Object(value) as { readonly then?: unknown }).then === "function";
  return (isThenable ? Promise.resolve(value).then(next) : next(value as T)) as Awaitable<
    Awaited<R>
  >;
}

/** The store of a driver. A driver that is synchronous makes a synchronous store. */
export class SqlStore implements LogStore {
  readonly #driver: SqlDriver;
  readonly #isPostgres: boolean;
  /** Whether the tables exist. */
  #isReady = false;
  readonly watch?: NonNullable<LogStore["watch"]>;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
    this.#isPostgres = driver.dialect === "postgres";
    if (driver.watch !== undefined) {
      this.watch = (name, changed) => driver.watch!(name, changed);
    }
  }

  append(
    log: string,
    last: number,
    entries: readonly LogEntry[],
    head: LogHead,
  ): Awaitable<boolean> {
    const next = entries.at(-1)?.position ?? last;
    const values = [next, head.label ?? null, head.at, head.due ?? null, head.data];
    // A log without entries may not exist.
    const changed: SqlStatement =
      last === 0
        ? {
            sql: `INSERT INTO agentwire_logs (last, label, at, due, data, log) VALUES (?, ?, ?, ?, ?, ?)
              ON CONFLICT (log) DO UPDATE SET last = excluded.last, label = excluded.label, at = excluded.at, due = excluded.due, data = excluded.data
              WHERE agentwire_logs.last = 0 RETURNING log`,
            values: [...values, log],
          }
        : {
            sql: "UPDATE agentwire_logs SET last = ?, label = ?, at = ?, due = ?, data = ? WHERE log = ? AND last = ? RETURNING log",
            values: [...values, log, last],
          };
    const statements = this.#isPostgres
      ? [withEntries(changed, entries)]
      : [
          ...entries.map(({ position, text }) => ({
            sql: "INSERT INTO agentwire_entries (log, position, text) SELECT ?, ?, ? WHERE coalesce((SELECT last FROM agentwire_logs WHERE log = ?), 0) = ?",
            values: [log, position, text, log, last],
          })),
          changed,
        ];
    return after(this.#write(statements), (results) => {
      const isChanged = results.at(-1)!.length > 0;
      if (isChanged) {
        this.#driver.report?.(watchedName(log));
      }
      return isChanged;
    });
  }

  read(log: string, position: number, limit: number): Awaitable<LogPage> {
    const head = `SELECT ${this.#number("last")}, label, ${this.#number("at")}, ${this.#number("due")}, data`;
    const statement =
      limit === 0
        ? { sql: `${head} FROM agentwire_logs WHERE log = ?`, values: [log] }
        : {
            // One statement, so that the head is as old as the entries.
            sql: `${head}, ${this.#number("position")}, text FROM agentwire_logs LEFT JOIN
              (SELECT position, text FROM agentwire_entries WHERE log = ? AND position > ? ORDER BY position LIMIT ?) AS found ON 1 = 1
              WHERE log = ? ORDER BY position`,
            values: [log, position, limit, log],
          };
    return after(this.#rows(statement), (rows) => {
      const [first] = rows;
      const entries = rows.filter((row) => row["text"] != null) as unknown as LogEntry[];
      return first === undefined
        ? { last: 0, entries: [] }
        : {
            head: headIn(first),
            last: first["last"] as number,
            entries: entries.map(({ position, text }) => ({ position, text })),
          };
    });
  }

  list(query: LogQuery): Awaitable<readonly ListedLog[]> {
    const columns = `SELECT log, label, ${this.#number("at")}, ${this.#number("due")}, data FROM agentwire_logs`;
    const { after: last, limit } = query;
    const statement =
      "label" in query
        ? {
            sql: `${columns} WHERE label = ? ${last ? "AND (at, log) < (?, ?)" : ""} ORDER BY agentwire_logs.at DESC, log DESC LIMIT ?`,
            values: [query.label, ...(last ? [last.head.at, last.log] : []), limit],
          }
        : {
            sql: `${columns} WHERE due <= ? ${last ? "AND (due, log) > (?, ?)" : ""} ORDER BY agentwire_logs.due, log LIMIT ?`,
            values: [
              Math.min(query.due, Number.MAX_SAFE_INTEGER),
              ...(last ? [last.head.due ?? 0, last.log] : []),
              limit,
            ],
          };
    return after(this.#rows(statement), (rows) =>
      rows.map((row) => ({ log: row["log"] as string, head: headIn(row) })),
    );
  }

  delete(log: string, last?: number): Awaitable<void> {
    const isLast = last === undefined ? "" : " AND last = ?";
    const statements = [
      {
        sql: `DELETE FROM agentwire_logs WHERE log = ?${isLast}`,
        values: last === undefined ? [log] : [log, last],
      },
      {
        sql: "DELETE FROM agentwire_entries WHERE log = ? AND NOT EXISTS (SELECT 1 FROM agentwire_logs WHERE log = ?)",
        values: [log, log],
      },
    ];
    return after(this.#write(statements), () => this.#driver.report?.(watchedName(log)));
  }

  /** Returns a column as a number: drivers of Postgres return a BIGINT as text. */
  #number(column: string): string {
    return this.#isPostgres ? `${column}::float8 AS ${column}` : column;
  }

  #execute(statements: readonly SqlStatement[]): ReturnType<SqlDriver["execute"]> {
    return this.#driver.execute(this.#isPostgres ? statements.map(numbered) : statements);
  }

  #write(statements: readonly SqlStatement[]): ReturnType<SqlDriver["execute"]> {
    return after(this.#opened(), (isReady) => {
      const tables = isReady
        ? []
        : tablesOf(this.#driver.dialect).map((sql) => ({ sql, values: [] }));
      return after(this.#execute([...tables, ...statements]), (results) => {
        this.#isReady = true;
        return results.slice(tables.length);
      });
    });
  }

  /** Returns the rows of a query: none without the tables. */
  #rows(statement: SqlStatement): Awaitable<readonly SqlRow[]> {
    return after(this.#opened(), (isReady) =>
      isReady ? after(this.#execute([statement]), ([rows]) => rows ?? []) : [],
    );
  }

  /** Returns whether the tables exist. The driver of Postgres creates them. */
  #opened(): Awaitable<boolean> {
    if (this.#isReady || this.#isPostgres) {
      return true;
    }
    const sql =
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('agentwire_logs', 'thread_runs', 'runs', 'under_way')";
    return after(this.#driver.execute([{ sql, values: [] }]), ([rows = []]) => {
      const names = rows.map(({ name }) => name);
      this.#isReady = names.includes("agentwire_logs");
      refuseOld(!this.#isReady && names.length > 0, "the store");
      return this.#isReady;
    });
  }
}

function headIn({ label, at, due, data }: SqlRow): LogHead {
  return {
    at: at as number,
    data: data as string,
    ...(label !== null && { label: label as string }),
    ...(due !== null && { due: due as number }),
  };
}

/** Returns a statement of Postgres that also inserts the entries if it has changed the log. */
function withEntries(changed: SqlStatement, entries: readonly LogEntry[]): SqlStatement {
  if (entries.length === 0) {
    return changed;
  }
  const values = entries.map(() => "(?::bigint, ?::text)").join(", ");
  return {
    sql: `WITH changed AS (${changed.sql}), added AS (
      INSERT INTO agentwire_entries (log, position, text)
        SELECT changed.log, entry.position, entry.text FROM changed, (VALUES ${values}) AS entry (position, text)
    ) SELECT log FROM changed`,
    values: [...changed.values, ...entries.flatMap(({ position, text }) => [position, text])],
  };
}

/** Returns a statement with the parameters of Postgres. */
function numbered({ sql, values }: SqlStatement): SqlStatement {
  let number = 0;
  return { sql: sql.replace(/\?/g, () => `$${++number}`), values };
}
