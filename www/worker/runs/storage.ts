// The storage of a thread: its owner, its runs, its log and its messages, in the SQLite of its object.

import type { RunLogEntry } from "agentwire/runs/server";
import { joinedAfter } from "./joined.js";
import type { SqlValue, Storage } from "./platform.js";
import type { EndedRun, HistoryPage, JoinedEvent, MessageRow, NewEvent, NewMessage, RunRow, RunStatus } from "./rows.js";
import { upgrade } from "./schema.js";

/** The maximum number of characters of the messages in one answer. */
const HISTORY_PAGE = 1024 * 1024;

const BYTES = "coalesce(sum(octet_length(data) + coalesce(octet_length(pieces), 0)), 0)";

const DAY = "strftime('%Y-%m-%d', at / 1000, 'unixepoch')";

/** The tables of one thread. They are created when the thread is started. */
export class ThreadStorage {
  readonly #storage: Storage;
  /** Undefined until the thread has been started. */
  owner: string | undefined;
  /** The name of the object. */
  threadId = "";
  /** The name of the log inside its cursors. */
  generation = "";
  /** The address of the endpoints at which the last run was started. */
  base = "";
  /** The number of bytes of the log. */
  bytes = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
    if (this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'meta'").length > 0) {
      const read = (): Map<string, string> => new Map(this.#rows<{ k: string; v: string }>("SELECT k, v FROM meta").map(({ k, v }) => [k, v]));
      this.together(() => upgrade(storage.sql, Number(read().get("schema") ?? 1)));
      const meta = read();
      this.owner = meta.get("owner");
      this.threadId = meta.get("thread") ?? "";
      this.generation = meta.get("generation") ?? "";
      this.base = meta.get("base") ?? "";
      this.bytes = Number(meta.get("bytes") ?? this.#rows<{ all: number }>(`SELECT ${BYTES} AS "all" FROM events`)[0]!.all);
    }
  }

  /** Runs `work` in a transaction. */
  together<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  begin(owner: string, threadId: string): void {
    upgrade(this.#storage.sql, 0);
    const generation = crypto.randomUUID().slice(0, 8);
    this.#storage.sql.exec("INSERT INTO meta (k, v) VALUES ('owner', ?), ('thread', ?), ('generation', ?)", owner, threadId, generation);
    [this.owner, this.threadId, this.generation] = [owner, threadId, generation];
  }

  setBase(base: string): void {
    if (base !== this.base) {
      this.base = base;
      this.#keep("base", base);
    }
  }

  run(runId: string): RunRow | undefined {
    return this.#rows<RunRow>("SELECT * FROM runs WHERE run_id = ?", runId)[0];
  }

  /** Returns whether a run has ended, without reading its request. */
  isEnded(runId: string): boolean {
    return this.#rows("SELECT 1 FROM runs WHERE run_id = ? AND status = 'ended'", runId).length > 0;
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

  /** Stores that the run has ended with that terminal event. */
  end(runId: string, terminal: number): void {
    this.#storage.sql.exec("UPDATE runs SET status = 'ended', terminal = ? WHERE run_id = ?", terminal, runId);
  }

  /** Stores events; returns the number of the last one. */
  append(runId: string, events: readonly NewEvent[]): number {
    let last = 0;
    for (const { kind, data } of events) {
      const insert = "INSERT INTO events (run_id, kind, data) VALUES (?, ?, ?) RETURNING number, octet_length(data) AS bytes";
      const stored = this.#storage.sql.exec<{ number: number; bytes: number }>(insert, runId, kind, data).one();
      last = stored.number;
      this.bytes += stored.bytes;
    }
    this.#keep("bytes", String(this.bytes));
    return last;
  }

  /** Returns the runs that have ended and have a log, the oldest first. */
  endedRuns(): EndedRun[] {
    return this.#rows<EndedRun>("SELECT run_id AS runId, at, terminal, is_short FROM runs WHERE status = 'ended' ORDER BY terminal");
  }

  /** Replaces the log of a run that has ended. Each event has the number of the last event that was joined to it. */
  shorten(runId: string, events: readonly JoinedEvent[]): void {
    this.#deleteEvents(runId);
    for (const { number, kind, data, pieces } of events) {
      this.#storage.sql.exec("INSERT INTO events (number, run_id, kind, data, pieces) VALUES (?, ?, ?, ?, ?)", number, runId, kind, data, pieces);
    }
    this.bytes += this.#bytesOf(runId);
    // The request is not needed any more; its hash stays.
    this.#storage.sql.exec("UPDATE runs SET is_short = 1, input = '' WHERE run_id = ?", runId);
    this.#keep("bytes", String(this.bytes));
  }

  /** Deletes the log of a run. Its row and its messages stay. */
  expire(runId: string): void {
    this.#deleteEvents(runId);
    this.#storage.sql.exec("UPDATE runs SET status = 'expired', input = '' WHERE run_id = ?", runId);
    this.#keep("bytes", String(this.bytes));
  }

  #deleteEvents(runId: string): void {
    this.bytes -= this.#bytesOf(runId);
    this.#storage.sql.exec("DELETE FROM events WHERE run_id = ?", runId);
  }

  #bytesOf(runId: string): number {
    return this.#rows<{ all: number }>(`SELECT ${BYTES} AS "all" FROM events WHERE run_id = ?`, runId)[0]!.all;
  }

  #keep(name: string, value: string): void {
    this.#storage.sql.exec("INSERT OR REPLACE INTO meta (k, v) VALUES (?, ?)", name, value);
  }

  /** Returns the number of the last entry of the log. */
  last(): number {
    const last = "SELECT max(coalesce((SELECT max(number) FROM events), 0), coalesce((SELECT max(terminal) FROM runs), 0)) AS last";
    return this.#rows<{ last: number }>(last)[0]!.last;
  }

  /** Returns the entries of a run after a place of the log. If the place is within joined pieces, the first entry has only those after it. */
  entries(runId: string, after: number, until: number, most: number): RunLogEntry[] {
    const rows = this.#rows<RunLogEntry & { readonly pieces: string | null }>(
      "SELECT number, run_id AS runId, kind, data, pieces FROM events WHERE run_id = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?",
      runId,
      after,
      until,
      most,
    );
    const [first] = rows;
    return first?.pieces == null ? rows : [joinedAfter(first, first.pieces, after), ...rows.slice(1)];
  }

  addMessage(runId: string, { id, role, content, extra, message, isShown }: NewMessage): void {
    this.#storage.sql.exec(
      "INSERT INTO messages (id, run_id, role, content, extra, message, is_shown, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      runId,
      role,
      content,
      extra,
      message,
      isShown ? 1 : 0,
      Date.now(),
    );
  }

  /** Returns the messages of that id and role, as the agent receives them. */
  messagesOf(id: string, role: string): (string | null)[] {
    return this.#rows<{ message: string | null }>("SELECT message FROM messages WHERE id = ? AND role = ?", id, role).map(({ message }) => message);
  }

  /** Returns whether a message of the assistant has that call. */
  hasCall(callId: string): boolean {
    const calls = "messages, json_each(messages.message, '$.toolCalls') AS call";
    return this.#rows(`SELECT 1 FROM ${calls} WHERE role = 'assistant' AND json_extract(call.value, '$.id') = ? LIMIT 1`, callId).length > 0;
  }

  /** Returns the latest messages as the agent receives them, in their order, with at most `most` characters. */
  latestMessages(most: number): string[] {
    const messages: string[] = [];
    let size = 0;
    // The cursor loads only the rows that are read.
    for (const { role, id, content, message } of this.#storage.sql.exec<MessageRow & { message: string | null }>("SELECT * FROM messages ORDER BY seq DESC")) {
      // Earlier versions stored a tool's result without its call id.
      const json = message ?? (role === "tool" ? undefined : JSON.stringify({ id, role, content }));
      size += json?.length ?? 0;
      if (size > most) {
        break;
      }
      if (json !== undefined) {
        messages.push(json);
      }
    }
    return messages.reverse();
  }

  /**
   * Returns the messages before the message of that number, of the latest day before `before` that has any. If the day is larger than a
   * page, returns the latest that fit, at least one.
   */
  day(before = "9999-99-99", beforeSeq = Number.MAX_SAFE_INTEGER): HistoryPage {
    const where = `is_shown = 1 AND ${DAY} < ? AND seq < ?`;
    const latest = this.#rows<{ day: string | null }>(`SELECT max(${DAY}) AS day FROM messages WHERE ${where}`, before, beforeSeq)[0];
    const day = latest?.day ?? null;
    if (day === null) {
      return { day, hasMore: false, messages: [] };
    }
    const messages: MessageRow[] = [];
    let size = 0;
    let hasMoreOfDay = false;
    const rows = this.#storage.sql.exec<MessageRow>(`SELECT * FROM messages WHERE is_shown = 1 AND ${DAY} = ? AND seq < ? ORDER BY seq DESC`, day, beforeSeq);
    // The cursor loads only the rows that are read.
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
