// One user: the user's threads, the latest of them, and the numbers of active runs and connections.

import { DurableObject } from "cloudflare:workers";
import { Leases } from "./leases.js";
import type { ObjectState } from "./platform.js";

/** The kinds of counts. */
export type Counted = "runs" | "connections";

/** Milliseconds for which the number of a thread's runs is valid. A thread whose process was killed restarts by its alarm. */
const HOLDS = 15 * 60 * 1000;

const SCHEMA = [
  "CREATE TABLE IF NOT EXISTS threads (number INTEGER PRIMARY KEY AUTOINCREMENT, thread_id TEXT NOT NULL UNIQUE)",
  `CREATE TABLE IF NOT EXISTS under_way (
    kind TEXT NOT NULL, thread_id TEXT NOT NULL, count INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (kind, thread_id)
  )`,
];

/** A user. Its public methods are called by the worker and by the user's threads. */
export class User extends DurableObject {
  readonly #connections = new Leases();
  #isReady = false;

  constructor(ctx: ObjectState, env: unknown) {
    super(ctx, env);
  }

  /** Returns the thread of the user's latest message. */
  latest(): string | null {
    const tables = this.ctx.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'threads'").toArray();
    if (tables.length === 0) {
      return null;
    }
    const rows = this.ctx.storage.sql.exec<{ thread_id: string }>("SELECT thread_id FROM threads ORDER BY number DESC LIMIT 1");
    return rows.toArray()[0]?.thread_id ?? null;
  }

  /** Makes a thread the latest. */
  said(threadId: string): void {
    this.#ready();
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO threads (thread_id) VALUES (?)", threadId);
  }

  /** Sets the count of a thread; returns the sum over the user's threads. */
  count(kind: Counted, threadId: string, count: number): number {
    const now = Date.now();
    if (kind === "connections") {
      return this.#connections.set(threadId, count, now);
    }
    this.#ready();
    const { sql } = this.ctx.storage;
    sql.exec("DELETE FROM under_way WHERE until < ? OR (kind = ? AND thread_id = ?)", now, kind, threadId);
    if (count > 0) {
      sql.exec("INSERT INTO under_way (kind, thread_id, count, until) VALUES (?, ?, ?, ?)", kind, threadId, count, now + HOLDS);
    }
    return sql.exec<{ all: number | null }>('SELECT sum(count) AS "all" FROM under_way WHERE kind = ?', kind).one().all ?? 0;
  }

  #ready(): void {
    if (!this.#isReady) {
      SCHEMA.forEach((statement) => this.ctx.storage.sql.exec(statement));
      this.#isReady = true;
    }
  }
}
