// Tasks of A2A in the SQLite of an object.

import { Decoder, type Json, parseJson, stringifyJson } from "agentwire";
import type { Task as A2aTask } from "agentwire/a2a";
import type { ListTasks, TaskPage, TaskStore } from "agentwire/server";
import type { Storage } from "./platform.js";

type SqlValue = string | number | null | ArrayBuffer;

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS tasks (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, context_id TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL
  )`,
  "CREATE INDEX IF NOT EXISTS tasks_by_time ON tasks (at)",
  // A task, which may be larger than a row, in pieces; and the events after it.
  "CREATE TABLE IF NOT EXISTS pieces (id TEXT NOT NULL, place INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (id, place))",
  "CREATE TABLE IF NOT EXISTS said (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, event TEXT NOT NULL)",
  "CREATE INDEX IF NOT EXISTS said_of ON said (id, number)",
];

/** The maximum number of bytes of a piece: a row has less than 2 MB. */
const PIECE = 1_900_000;
/** The number of tasks of a page by default. */
const PAGE_SIZE = 50;
/** The states in which an agent is running. */
const AT_WORK = "('TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING')";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The tasks of one object. Writes are on the disk before a client receives an answer: the platform delays answers until then. */
export class TaskStorage implements TaskStore {
  readonly #storage: Storage;
  readonly #isShared: boolean;
  readonly #most: number;
  #isReady = false;

  /**
   * @param isShared whether several callers have tasks here: then a list must name a conversation
   * @param most the maximum number of tasks that have ended; the task that was saved longest ago is deleted first
   */
  constructor(storage: Storage, isShared: boolean, most: number) {
    this.#storage = storage;
    this.#isShared = isShared;
    this.#most = most;
  }

  load(id: string): A2aTask | undefined {
    this.#ready();
    return this.#currentTask(id, []);
  }

  /** Returns a task with its stored events and then these events applied. */
  #currentTask(id: string, more: readonly string[]): A2aTask | undefined {
    const pieces = this.#rows<{ bytes: ArrayBuffer }>("SELECT bytes FROM pieces WHERE id = ? ORDER BY place", id);
    if (pieces.length === 0) {
      return undefined;
    }
    const json = pieces.map(({ bytes }, at) => decoder.decode(bytes, { stream: at < pieces.length - 1 })).join("");
    const rows = this.#rows<{ event: string }>("SELECT event FROM said WHERE id = ? ORDER BY number", id);
    const events = [...rows.map(({ event }) => event), ...more];
    return events.length === 0 ? (parseJson(json) as unknown as A2aTask) : applyEvents(json, events);
  }

  save(task: A2aTask): void {
    this.#ready();
    const { id = "", contextId, status } = task;
    const bytes = encoder.encode(stringifyJson(task as unknown as Json));
    this.#storage.transactionSync(() => {
      this.#forget(id);
      this.#exec(
        "INSERT INTO tasks (id, context_id, state, at) VALUES (?, ?, ?, ?)",
        id,
        contextId ?? "",
        status?.state ?? "",
        Date.now(),
      );
      for (let from = 0; from < bytes.length; from += PIECE) {
        const piece = bytes.buffer.slice(from, Math.min(from + PIECE, bytes.length)) as ArrayBuffer;
        this.#exec("INSERT INTO pieces (id, place, bytes) VALUES (?, ?, ?)", id, from, piece);
      }
      const surplus = `SELECT id FROM tasks WHERE state NOT IN ${AT_WORK} ORDER BY number DESC LIMIT -1 OFFSET ?`;
      this.#rows<{ id: string }>(surplus, this.#most).forEach(({ id }) => this.#forget(id));
    });
  }

  append(id: string, events: readonly string[]): void {
    this.#ready();
    // A character has three bytes at most.
    const isLarge = events.some((event) => event.length * 3 > PIECE && encoder.encode(event).length > PIECE);
    const task = isLarge ? this.#currentTask(id, events) : undefined;
    if (task !== undefined) {
      return this.save(task);
    }
    for (const event of events) {
      this.#exec("INSERT INTO said (id, event) VALUES (?, ?)", id, event);
    }
  }

  list({ contextId, status, pageSize, pageToken }: ListTasks): TaskPage {
    this.#ready();
    if (this.#isShared && !contextId) {
      return { tasks: [], nextPageToken: "", totalSize: 0 };
    }
    const condition = "(?1 IS NULL OR context_id = ?1) AND (?2 IS NULL OR state = ?2)";
    const which = [contextId || null, status || null] as const;
    const size = pageSize ?? PAGE_SIZE;
    const before = Number(pageToken) || Number.MAX_SAFE_INTEGER;
    const rows = this.#rows<{ number: number; id: string }>(
      `SELECT number, id FROM tasks WHERE ${condition} AND number < ?3 ORDER BY number DESC LIMIT ?4`,
      ...which,
      before,
      size + 1,
    );
    const { total } = this.#rows<{ total: number }>(`SELECT count(*) AS total FROM tasks WHERE ${condition}`, ...which)[0]!;
    const page = rows.slice(0, size);
    const nextPageToken = rows.length > size ? String(page.at(-1)!.number) : "";
    return { tasks: page.map(({ id }) => this.load(id)!), nextPageToken, totalSize: total };
  }

  /** Returns the tasks whose agent is running, or was killed. */
  atWork(): A2aTask[] {
    const ids = this.#isThere() ? this.#rows<{ id: string }>(`SELECT id FROM tasks WHERE state IN ${AT_WORK}`) : [];
    return ids.map(({ id }) => this.load(id)!);
  }

  /** Deletes the tasks that have not changed since `time`, unless an agent is running; returns when the oldest remaining task changed last. */
  forgetBefore(time: number): number | undefined {
    if (!this.#isThere()) {
      return undefined;
    }
    const old = this.#rows<{ id: string }>(`SELECT id FROM tasks WHERE at < ? AND state NOT IN ${AT_WORK}`, time);
    this.#storage.transactionSync(() => old.forEach(({ id }) => this.#forget(id)));
    return this.#rows<{ oldest: number | null }>("SELECT min(at) AS oldest FROM tasks")[0]?.oldest ?? undefined;
  }

  #forget(id: string): void {
    ["tasks", "pieces", "said"].forEach((table) => this.#exec(`DELETE FROM ${table} WHERE id = ?`, id));
  }

  #isThere(): boolean {
    return this.#isReady || this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'tasks'").length > 0;
  }

  #ready(): void {
    if (!this.#isReady) {
      SCHEMA.forEach((statement) => this.#exec(statement));
      this.#isReady = true;
    }
  }

  #exec(query: string, ...bindings: SqlValue[]): void {
    this.#storage.sql.exec(query, ...bindings);
  }

  #rows<Row = Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): Row[] {
    return this.#storage.sql.exec<Row>(query, ...bindings).toArray();
  }
}

/** Returns a task with the events after it applied. */
function applyEvents(task: string, events: readonly string[]): A2aTask {
  const reader = new Decoder({ protocol: "a2a" });
  for (const event of [`{"task":${task}}`, ...events]) {
    reader.push(encoder.encode(`data: {"jsonrpc":"2.0","id":1,"result":${event}}\n\n`));
  }
  return reader.finish().snapshot.task!;
}
