// What a thread keeps: its owner, its runs, its log and its messages, in the SQLite of its object.

import type { RunLogEntry } from "agentwire";
import type { SqlValue, Storage } from "./platform.js";

/** How a run stands. */
export type RunStatus = "queued" | "running" | "ended";

/** A run. */
export interface RunRow {
  readonly run_id: string;
  readonly task_id: string;
  readonly status: RunStatus;
  /** Of the request's body. */
  readonly hash: string;
  readonly input: string;
  /** Whether the thread was new. */
  readonly created: number;
  readonly cancelled: number;
  readonly attempts: number;
  /** The number of its terminal event. */
  readonly terminal: number | null;
}

/** A run that has ended. */
export interface EndedRun {
  readonly runId: string;
  /** When it was started, in milliseconds since 1970. */
  readonly at: number;
  readonly terminal: number;
  /** Where its log began before it was shortened; null where it was not. */
  readonly began: number | null;
}

/** A message, as it is kept. */
export interface MessageRow {
  readonly seq: number;
  readonly id: string;
  readonly role: string;
  readonly content: string;
  /** What else the history tells of it, as JSON. */
  readonly extra: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A part of the history. */
export interface HistoryPage {
  readonly day: string | null;
  readonly hasMore: boolean;
  readonly messages: readonly MessageRow[];
  /** There is more of the same day: the messages before this one. */
  readonly beforeSeq?: number;
}

/** Characters of the messages in one answer. */
const HISTORY_PAGE = 1024 * 1024;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (k TEXT PRIMARY KEY, v TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS runs (
    run_id TEXT PRIMARY KEY, task_id TEXT NOT NULL, status TEXT NOT NULL, hash TEXT NOT NULL, idempotency_key TEXT UNIQUE,
    input TEXT NOT NULL, created INTEGER NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
    terminal INTEGER, at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_active ON runs ((1)) WHERE status IN ('queued', 'running');
  CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS events_of_run ON events (run_id, number);
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, run_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
    extra TEXT NOT NULL, at INTEGER NOT NULL
  );
`;

/** The runs whose log was shortened, and where it began before. */
const SHORTENED = "CREATE TABLE IF NOT EXISTS shortened (run_id TEXT PRIMARY KEY, began INTEGER NOT NULL)";

const BYTES = "coalesce(sum(octet_length(data)), 0)";

const DAY = "strftime('%Y-%m-%d', at / 1000, 'unixepoch')";

/** The tables of one thread. Nothing is written for a thread that nobody has started. */
export class ThreadStorage {
  readonly #storage: Storage;
  /** Undefined until the thread has been started. */
  owner: string | undefined;
  /** What the object is called. */
  threadId = "";
  /** The name of the log inside its cursors. */
  generation = "";
  /** How many bytes the log has. */
  bytes = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
    if (this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'meta'").length > 0) {
      const meta = new Map(this.#rows<{ k: string; v: string }>("SELECT k, v FROM meta").map(({ k, v }) => [k, v]));
      this.owner = meta.get("owner");
      this.threadId = meta.get("thread") ?? "";
      this.generation = meta.get("generation") ?? "";
      this.bytes = Number(meta.get("bytes") ?? this.#rows<{ all: number }>(`SELECT ${BYTES} AS "all" FROM events`)[0]!.all);
    }
  }

  /** All or nothing. */
  together<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  begin(owner: string, threadId: string): void {
    for (const statement of SCHEMA.split(";").filter((text) => text.trim() !== "")) {
      this.#storage.sql.exec(statement);
    }
    const generation = crypto.randomUUID().slice(0, 8);
    this.#storage.sql.exec("INSERT INTO meta (k, v) VALUES ('owner', ?), ('thread', ?), ('generation', ?)", owner, threadId, generation);
    [this.owner, this.threadId, this.generation] = [owner, threadId, generation];
  }

  run(runId: string): RunRow | undefined {
    return this.#rows<RunRow>("SELECT * FROM runs WHERE run_id = ?", runId)[0];
  }

  runOfKey(key: string): RunRow | undefined {
    return this.#rows<RunRow>("SELECT * FROM runs WHERE idempotency_key = ?", key)[0];
  }

  active(): RunRow | undefined {
    return this.#rows<RunRow>("SELECT * FROM runs WHERE status IN ('queued', 'running')")[0];
  }

  addRun(run: Pick<RunRow, "run_id" | "task_id" | "hash" | "input" | "created">, key: string | null): void {
    this.#storage.sql.exec(
      "INSERT INTO runs (run_id, task_id, status, hash, idempotency_key, input, created, at) VALUES (?, ?, 'queued', ?, ?, ?, ?, ?)",
      run.run_id,
      run.task_id,
      run.hash,
      key,
      run.input,
      run.created,
      Date.now(),
    );
  }

  setStatus(runId: string, status: RunStatus): void {
    const attempts = status === "running" ? 1 : 0;
    this.#storage.sql.exec("UPDATE runs SET status = ?, attempts = attempts + ? WHERE run_id = ?", status, attempts, runId);
  }

  setCancelled(runId: string): void {
    this.#storage.sql.exec("UPDATE runs SET cancelled = 1 WHERE run_id = ?", runId);
  }

  /** The run has its terminal event. */
  end(runId: string, terminal: number): void {
    this.#storage.sql.exec("UPDATE runs SET status = 'ended', terminal = ? WHERE run_id = ?", terminal, runId);
  }

  /** Gives the number of the last of them. */
  append(runId: string, events: readonly { readonly kind: string; readonly data: string }[]): number {
    let last = 0;
    for (const { kind, data } of events) {
      const insert = "INSERT INTO events (run_id, kind, data) VALUES (?, ?, ?) RETURNING number, octet_length(data) AS bytes";
      const stored = this.#storage.sql.exec<{ number: number; bytes: number }>(insert, runId, kind, data).one();
      last = stored.number;
      this.bytes += stored.bytes;
    }
    this.#keepBytes();
    return last;
  }

  /** The runs that have ended, the oldest first, with the numbers of what the log has of them. */
  endedRuns(): EndedRun[] {
    this.#storage.sql.exec(SHORTENED);
    return this.#rows<EndedRun>(
      `SELECT run_id AS runId, runs.at AS at, terminal, began FROM runs LEFT JOIN shortened USING (run_id)
       WHERE status = 'ended' ORDER BY terminal`,
    );
  }

  /** The log of a run that has ended is these events from now on, which are not more than it had. */
  shorten({ runId, terminal }: EndedRun, events: readonly { readonly kind: string; readonly data: string }[]): void {
    const { began } = this.#rows<{ began: number }>("SELECT min(number) AS began FROM events WHERE run_id = ?", runId)[0]!;
    this.#deleteEvents(runId);
    for (const [at, { kind, data }] of events.entries()) {
      const number = terminal - events.length + 1 + at;
      const insert = "INSERT INTO events (number, run_id, kind, data) VALUES (?, ?, ?, ?) RETURNING octet_length(data) AS bytes";
      this.bytes += this.#storage.sql.exec<{ bytes: number }>(insert, number, runId, kind, data).one().bytes;
    }
    this.#storage.sql.exec("INSERT OR REPLACE INTO shortened (run_id, began) VALUES (?, ?)", runId, began);
    // What was asked is of no use any more; that it was is told by its hash.
    this.#storage.sql.exec("UPDATE runs SET input = '' WHERE run_id = ?", runId);
    this.#keepBytes();
  }

  /** Where the log of a run began before it was shortened; undefined where it was not. */
  beganAt(runId: string): number | undefined {
    const isThere = this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'shortened'").length > 0;
    return isThere ? this.#rows<{ began: number }>("SELECT began FROM shortened WHERE run_id = ?", runId)[0]?.began : undefined;
  }

  /** Forgets a run and its log. Its messages stay. */
  forgetRun(runId: string): void {
    this.#deleteEvents(runId);
    ["runs", "shortened"].forEach((table) => this.#storage.sql.exec(`DELETE FROM ${table} WHERE run_id = ?`, runId));
    this.#keepBytes();
  }

  #deleteEvents(runId: string): void {
    this.bytes -= this.#rows<{ all: number }>(`SELECT ${BYTES} AS "all" FROM events WHERE run_id = ?`, runId)[0]!.all;
    this.#storage.sql.exec("DELETE FROM events WHERE run_id = ?", runId);
  }

  #keepBytes(): void {
    this.#storage.sql.exec("INSERT OR REPLACE INTO meta (k, v) VALUES ('bytes', ?)", String(this.bytes));
  }

  /** The number of the last entry of the log. */
  last(): number {
    return this.#rows<{ last: number | null }>("SELECT max(number) AS last FROM events")[0]?.last ?? 0;
  }

  entries(runId: string, after: number, until: number, most: number): RunLogEntry[] {
    return this.#rows<RunLogEntry>(
      "SELECT number, run_id AS runId, kind, data FROM events WHERE run_id = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?",
      runId,
      after,
      until,
      most,
    );
  }

  addMessage(runId: string, message: Pick<MessageRow, "id" | "role" | "content" | "extra">): void {
    const { id, role, content, extra } = message;
    this.#storage.sql.exec(
      "INSERT INTO messages (id, run_id, role, content, extra, at) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      runId,
      role,
      content,
      extra,
      Date.now(),
    );
  }

  /**
   * The messages of the latest day, or of the nearest before one, that came before the message of that number. Of a day that is larger
   * than a page, the latest that fit, one at least.
   */
  day(before = "9999-99-99", beforeSeq = Number.MAX_SAFE_INTEGER): HistoryPage {
    const where = `${DAY} < ? AND seq < ?`;
    const latest = this.#rows<{ day: string | null }>(`SELECT max(${DAY}) AS day FROM messages WHERE ${where}`, before, beforeSeq)[0];
    const day = latest?.day ?? null;
    if (day === null) {
      return { day, hasMore: false, messages: [] };
    }
    const messages: MessageRow[] = [];
    let size = 0;
    let hasMoreOfDay = false;
    const rows = this.#storage.sql.exec<MessageRow>(`SELECT * FROM messages WHERE ${DAY} = ? AND seq < ? ORDER BY seq DESC`, day, beforeSeq);
    // What is not read is not loaded.
    for (const row of rows) {
      size += row.content.length + row.extra.length;
      if (messages.length > 0 && size > HISTORY_PAGE) {
        hasMoreOfDay = true;
        break;
      }
      messages.push(row);
    }
    messages.reverse();
    const { seq } = messages[0]!;
    const hasMore = hasMoreOfDay || this.#rows(`SELECT 1 FROM messages WHERE ${where} LIMIT 1`, day, seq).length > 0;
    return { day, hasMore, messages, ...(hasMoreOfDay && { beforeSeq: seq }) };
  }

  #rows<Row = Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): Row[] {
    return this.#storage.sql.exec<Row>(query, ...bindings).toArray();
  }
}
