// One user: which threads are theirs, and which was the latest.

import { DurableObject } from "cloudflare:workers";
import type { ObjectState } from "./platform.js";

/** A user. Its public methods are called by the worker. */
export class User extends DurableObject {
  constructor(ctx: ObjectState, env: unknown) {
    super(ctx, env);
  }

  /** The thread that the user has said something in last. */
  latest(): string | null {
    if (!this.#exists()) {
      return null;
    }
    const rows = this.ctx.storage.sql.exec<{ thread_id: string }>("SELECT thread_id FROM threads ORDER BY at DESC LIMIT 1");
    return rows.toArray()[0]?.thread_id ?? null;
  }

  /** The user has said something in a thread. */
  said(threadId: string): void {
    this.ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS threads (thread_id TEXT PRIMARY KEY, at INTEGER NOT NULL)");
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO threads (thread_id, at) VALUES (?, ?)", threadId, Date.now());
  }

  #exists(): boolean {
    return this.ctx.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'threads'").toArray().length > 0;
  }
}
