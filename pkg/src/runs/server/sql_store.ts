// The store in SQLite, of any host: `node:sqlite`, or the database of a Durable Object.

import { stringifyJson } from "../../core/json.js";
import type { RunLogEntry } from "../service.js";
import { entriesAfter } from "./retention.js";
import type {
  Awaitable,
  EndedRun,
  HistoryPage,
  JoinedEvent,
  NewEvent,
  NewStoredMessage,
  NewRun,
  RunStatus,
  StoredMessage,
  StoredRun,
  ThreadState,
  ThreadStore,
} from "./store.js";
import { callsIn, insertInto, latestOf } from "./store.js";
import { original, storable } from "./texts.js";

export type SqlValue = string | number | null;

/** A SQLite database. */
export interface Sql {
  /** Runs one statement. */
  run(statement: string, ...values: SqlValue[]): void;
  /** Yields the rows of a query as they are read. */
  rows<Row>(query: string, ...values: SqlValue[]): Iterable<Row>;
  /** Runs `work` in a transaction; resolves when its writes are durable. */
  together<T>(work: () => T): Awaitable<T>;
}

/**
 * Returns the statements of a database for values of any text: those that SQLite does not store
 * unchanged have another form in it.
 */
export function withTexts({ run, rows }: Pick<Sql, "run" | "rows">): Pick<Sql, "run" | "rows"> {
  const stored = (values: readonly SqlValue[]): SqlValue[] =>
    values.map((value) => (typeof value === "string" ? storable(value) : value));
  return {
    run: (statement, ...values) => run(statement, ...stored(values)),
    *rows<Row>(query: string, ...values: SqlValue[]) {
      for (const row of rows<Record<string, SqlValue>>(query, ...stored(values))) {
        for (const [column, value] of Object.entries(row)) {
          if (typeof value === "string") {
            row[column] = original(value);
          }
        }
        yield row as Row;
      }
    },
  };
}

const TABLES: readonly string[] = [
  "CREATE TABLE threads (thread TEXT PRIMARY KEY, owner TEXT NOT NULL, generation TEXT NOT NULL, base TEXT NOT NULL, last INTEGER NOT NULL, bytes INTEGER NOT NULL)",
  `CREATE TABLE thread_runs (
    id INTEGER PRIMARY KEY, thread TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, status TEXT NOT NULL, hash TEXT NOT NULL,
    idempotency_key TEXT, input TEXT NOT NULL, created INTEGER NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0, terminal INTEGER, at INTEGER NOT NULL, is_short INTEGER NOT NULL DEFAULT 0,
    UNIQUE (thread, run_id), UNIQUE (thread, idempotency_key)
  )`,
  "CREATE UNIQUE INDEX one_active_run ON thread_runs (thread) WHERE status IN ('queued', 'running')",
  // `pieces` is the number of UTF-16 units of each joined piece: a JSON list.
  "CREATE TABLE run_events (run INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, pieces TEXT, PRIMARY KEY (run, number)) WITHOUT ROWID",
  `CREATE TABLE thread_messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, run_id TEXT NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL,
    content TEXT NOT NULL, extra TEXT NOT NULL, message TEXT NOT NULL, is_shown INTEGER NOT NULL, at INTEGER NOT NULL
  )`,
  "CREATE INDEX messages_of_thread ON thread_messages (thread, seq)",
  "CREATE TABLE latest_threads (owner TEXT PRIMARY KEY, thread TEXT NOT NULL)",
];

/** The table of the A2A tasks of users. Earlier versions have none. */
export const TASKS_TABLE =
  "CREATE TABLE IF NOT EXISTS user_tasks (owner TEXT NOT NULL, thread TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (owner, thread))";

/** Sets an entry of a user's list of tasks. */
export function setTask(
  sql: Pick<Sql, "run">,
  user: string,
  threadId: string,
  task: string | null,
): void {
  if (task === null) {
    sql.run("DELETE FROM user_tasks WHERE owner = ? AND thread = ?", user, threadId);
  } else {
    sql.run(
      "INSERT OR REPLACE INTO user_tasks (owner, thread, task) VALUES (?, ?, ?)",
      user,
      threadId,
      task,
    );
  }
}

/** Returns a user's list of tasks. */
export function tasksOf(sql: Pick<Sql, "rows">, user: string): [threadId: string, task: string][] {
  return Array.from(
    sql.rows<{ thread: string; task: string }>(
      "SELECT thread, task FROM user_tasks WHERE owner = ?",
      user,
    ),
    ({ thread, task }) => [thread, task],
  );
}

/** The databases that have the tables. */
const ready = new WeakSet<Sql>();

/** Returns whether a table exists. */
export function hasTable(sql: Pick<Sql, "rows">, table: string): boolean {
  return [...sql.rows("SELECT 1 FROM sqlite_master WHERE name = ?", table)].length > 0;
}

/** Returns whether the database has the tables of a store. */
function hasTables(sql: Sql): boolean {
  if (!ready.has(sql) && hasTable(sql, "thread_runs")) {
    ready.add(sql);
  }
  return ready.has(sql);
}

/** Creates the tables if they are missing, in the transaction of the caller. */
export function createTables(sql: Sql): void {
  if (!hasTables(sql)) {
    TABLES.forEach((statement) => sql.run(statement));
  }
}

const BYTES = "coalesce(sum(octet_length(data) + coalesce(octet_length(pieces), 0)), 0)";
const DAY = "strftime('%Y-%m-%d', at / 1000, 'unixepoch')";
const RUN = `SELECT run_id AS runId, task_id AS taskId, status, hash, input, created, cancelled, attempts, terminal, at, is_short AS isShort FROM thread_runs WHERE thread = ?`;
const ID = "(SELECT id FROM thread_runs WHERE thread = ? AND run_id = ?)";

type Flags = "created" | "cancelled" | "isShort";
type RunRow = Omit<StoredRun, Flags> & { readonly [flag in Flags]: number };

/** One thread. The tables are created with the first thread. */
export class SqlThread implements ThreadStore {
  readonly #sql: Sql;
  readonly #id: string;

  constructor(sql: Sql, threadId: string) {
    [this.#sql, this.#id] = [sql, threadId];
  }

  state(): ThreadState | undefined {
    if (!hasTables(this.#sql)) {
      return undefined;
    }
    return this.#first<ThreadState>(
      "SELECT owner, generation, base, last, bytes FROM threads WHERE thread = ?",
      this.#id,
    );
  }

  run(runId: string): StoredRun | undefined {
    return this.#run("AND run_id = ?", runId);
  }

  runOfKey(key: string): StoredRun | undefined {
    return this.#run("AND idempotency_key = ?", key);
  }

  active(): StoredRun | undefined {
    return this.#run("AND status IN ('queued', 'running')");
  }

  addRun({
    owner,
    base,
    key,
    messages,
    runId,
    taskId,
    hash,
    input,
    at,
  }: NewRun): Awaitable<boolean> {
    return this.#sql.together(() => {
      createTables(this.#sql);
      const state = this.state();
      if (
        (state?.owner ?? owner) !== owner ||
        this.active() !== undefined ||
        this.run(runId) !== undefined ||
        (key !== null && this.runOfKey(key) !== undefined)
      ) {
        return false;
      }
      const thread = {
        thread: this.#id,
        owner,
        generation: crypto.randomUUID().slice(0, 8),
        base,
        last: 0,
        bytes: 0,
      };
      this.#insert("threads", thread, "ON CONFLICT DO UPDATE SET base = excluded.base");
      const created = state === undefined ? 1 : 0;
      this.#insert("thread_runs", {
        thread: this.#id,
        run_id: runId,
        task_id: taskId,
        status: "queued",
        hash,
        idempotency_key: key,
        input,
        created,
        at,
      });
      this.#addMessages(runId, messages);
      return true;
    });
  }

  setStatus(runId: string, status: RunStatus): Awaitable<void> {
    const attempts = status === "running" ? 1 : 0;
    return this.#sql.together(() =>
      this.#set(runId, "status = ?, attempts = attempts + ?", status, attempts),
    );
  }

  setCancelled(runId: string): Awaitable<void> {
    return this.#sql.together(() => this.#set(runId, "cancelled = 1"));
  }

  append(
    runId: string,
    events: readonly NewEvent[],
    messages?: readonly NewStoredMessage[],
  ): Awaitable<number> {
    return this.#sql.together(() => {
      const { id } = this.#first<{ id: number }>(`SELECT ${ID} AS id`, this.#id, runId)!;
      const { last } = this.#first<{ last: number }>(
        "SELECT last FROM threads WHERE thread = ?",
        this.#id,
      )!;
      events.forEach(({ kind, data }, at) =>
        this.#sql.run(
          "INSERT INTO run_events (run, number, kind, data) VALUES (?, ?, ?, ?)",
          id,
          last + 1 + at,
          kind,
          data,
        ),
      );
      const number = last + events.length;
      const added = this.#first<{ bytes: number }>(
        `SELECT ${BYTES} AS bytes FROM run_events WHERE run = ? AND number > ?`,
        id,
        last,
      )!.bytes;
      this.#sql.run(
        "UPDATE threads SET last = ?, bytes = bytes + ? WHERE thread = ?",
        number,
        added,
        this.#id,
      );
      if (messages !== undefined) {
        this.#set(runId, "status = 'ended', terminal = ?", number);
        this.#addMessages(runId, messages);
      }
      return number;
    });
  }

  read(runId: string, after: number, until: number, limit: number): RunLogEntry[] {
    const query = `SELECT number, kind, data, pieces FROM run_events WHERE run = ${ID} AND number > ? AND number <= ? ORDER BY number LIMIT ?`;
    const rows = this.#sql.rows<Omit<RunLogEntry, "runId"> & { readonly pieces: string | null }>(
      query,
      this.#id,
      runId,
      after,
      until,
      limit,
    );
    return entriesAfter(
      after,
      Array.from(rows, (row) => ({ ...row, runId })),
    );
  }

  ended(): EndedRun[] {
    const query =
      "SELECT run_id AS runId, at, is_short AS isShort FROM thread_runs WHERE thread = ? AND status = 'ended' ORDER BY terminal";
    return Array.from(
      this.#sql.rows<{ runId: string; at: number; isShort: number }>(query, this.#id),
      (row) => ({ ...row, isShort: row.isShort === 1 }),
    );
  }

  shorten(runId: string, events: readonly JoinedEvent[]): Awaitable<void> {
    return this.#replace(runId, events, "is_short = 1");
  }

  expire(runId: string): Awaitable<void> {
    return this.#replace(runId, [], "status = 'expired'");
  }

  #replace(runId: string, events: readonly JoinedEvent[], change: string): Awaitable<void> {
    return this.#sql.together(() => {
      const { id } = this.#first<{ id: number }>(`SELECT ${ID} AS id`, this.#id, runId)!;
      const bytesOf = (): number =>
        this.#first<{ bytes: number }>(
          `SELECT ${BYTES} AS bytes FROM run_events WHERE run = ?`,
          id,
        )!.bytes;
      const before = bytesOf();
      this.#sql.run("DELETE FROM run_events WHERE run = ?", id);
      for (const { number, kind, data, pieces } of events) {
        this.#sql.run(
          "INSERT INTO run_events (run, number, kind, data, pieces) VALUES (?, ?, ?, ?, ?)",
          id,
          number,
          kind,
          data,
          pieces,
        );
      }
      this.#sql.run(
        "UPDATE threads SET bytes = bytes + ? WHERE thread = ?",
        bytesOf() - before,
        this.#id,
      );
      // The request is not needed any more; its hash stays.
      this.#set(runId, `${change}, input = ''`);
    });
  }

  messagesOf(id: string, role: string): string[] {
    const query = "SELECT message FROM thread_messages WHERE thread = ? AND id = ? AND role = ?";
    return hasTables(this.#sql)
      ? Array.from(
          this.#sql.rows<{ message: string }>(query, this.#id, id, role),
          ({ message }) => message,
        )
      : [];
  }

  hasCall(callId: string): boolean {
    // The functions of SQLite for JSON end a text at NUL, so they only find the candidates.
    const query =
      "SELECT message FROM thread_messages WHERE thread = ? AND role = 'assistant' AND instr(message, ?) > 0";
    const candidates = hasTables(this.#sql)
      ? this.#sql.rows<{ message: string }>(query, this.#id, stringifyJson(callId))
      : [];
    for (const { message } of candidates) {
      if (callsIn("assistant", message).includes(callId)) {
        return true;
      }
    }
    return false;
  }

  latestMessages(limit: number): string[] {
    const rows = this.#sql.rows<{ message: string }>(
      "SELECT message FROM thread_messages WHERE thread = ? AND message <> 'null' ORDER BY seq DESC",
      this.#id,
    );
    return latestOf(rows, limit, ({ message }) => message.length, 0).values.map(
      ({ message }) => message,
    );
  }

  history(before: string, beforeSeq: number, limit: number): HistoryPage {
    const where = `thread = ? AND is_shown = 1 AND ${DAY} < ? AND seq < ?`;
    const day = this.#first<{ day: string | null }>(
      `SELECT max(${DAY}) AS day FROM thread_messages WHERE ${where}`,
      this.#id,
      before,
      beforeSeq,
    )!.day;
    if (day === null) {
      return { day, hasMore: false, messages: [] };
    }
    const query = `SELECT seq, id, role, content, extra, at FROM thread_messages WHERE thread = ? AND is_shown = 1 AND ${DAY} = ? AND seq < ? ORDER BY seq DESC`;
    const rows = this.#sql.rows<StoredMessage>(query, this.#id, day, beforeSeq);
    const { values: messages, isCut } = latestOf(
      rows,
      limit,
      ({ content, extra }) => content.length + extra.length,
      1,
    );
    const { seq } = messages[0]!;
    const hasMore =
      isCut ||
      this.#first(`SELECT 1 FROM thread_messages WHERE ${where} LIMIT 1`, this.#id, day, seq) !==
        undefined;
    return { day, hasMore, messages, ...(isCut && { beforeSeq: seq }) };
  }

  delete(): Awaitable<void> {
    return this.#sql.together(() => {
      this.#sql.run(
        "DELETE FROM run_events WHERE run IN (SELECT id FROM thread_runs WHERE thread = ?)",
        this.#id,
      );
      ["thread_runs", "thread_messages", "threads"].forEach((table) =>
        this.#sql.run(`DELETE FROM ${table} WHERE thread = ?`, this.#id),
      );
    });
  }

  #addMessages(runId: string, messages: readonly NewStoredMessage[]): void {
    for (const { id, role, content, extra, message, isShown, at } of messages) {
      this.#insert("thread_messages", {
        thread: this.#id,
        run_id: runId,
        id,
        role,
        content,
        extra,
        message,
        is_shown: isShown ? 1 : 0,
        at,
      });
    }
  }

  #insert(table: string, row: { readonly [column: string]: SqlValue }, more = ""): void {
    this.#sql.run(`${insertInto(table, row, () => "?")} ${more}`, ...Object.values(row));
  }

  #set(runId: string, change: string, ...values: SqlValue[]): void {
    this.#sql.run(
      `UPDATE thread_runs SET ${change} WHERE thread = ? AND run_id = ?`,
      ...values,
      this.#id,
      runId,
    );
  }

  #run(condition: string, ...values: SqlValue[]): StoredRun | undefined {
    const row = this.#first<RunRow>(`${RUN} ${condition}`, this.#id, ...values);
    return row && runOf(row);
  }

  #first<Row>(query: string, ...values: SqlValue[]): Row | undefined {
    for (const row of this.#sql.rows<Row>(query, ...values)) {
      return row;
    }
    return undefined;
  }
}

function runOf({ created, cancelled, isShort, ...row }: RunRow): StoredRun {
  return { ...row, created: created === 1, cancelled: cancelled === 1, isShort: isShort === 1 };
}
