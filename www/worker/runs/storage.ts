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

  constructor(storage: Storage) {
    this.#storage = storage;
    if (this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'meta'").length > 0) {
      const meta = new Map(this.#rows<{ k: string; v: string }>("SELECT k, v FROM meta").map(({ k, v }) => [k, v]));
      this.owner = meta.get("owner");
      this.threadId = meta.get("thread") ?? "";
      this.generation = meta.get("generation") ?? "";
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
      last = this.#storage.sql
        .exec<{ number: number }>("INSERT INTO events (run_id, kind, data) VALUES (?, ?, ?) RETURNING number", runId, kind, data)
        .one().number;
    }
    return last;
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
