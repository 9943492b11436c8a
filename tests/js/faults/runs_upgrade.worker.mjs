// A thread's object that finds the tables of an earlier version.
import { DurableObject } from "cloudflare:workers";
import { durableStore } from "agentwire/runs/server";

const FIRST = [
  "CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT NOT NULL)",
  `CREATE TABLE runs (
    run_id TEXT PRIMARY KEY, task_id TEXT NOT NULL, status TEXT NOT NULL, hash TEXT NOT NULL, idempotency_key TEXT UNIQUE,
    input TEXT NOT NULL, created INTEGER NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
    terminal INTEGER, at INTEGER NOT NULL
  )`,
  "CREATE UNIQUE INDEX one_active ON runs ((1)) WHERE status IN ('queued', 'running')",
  "CREATE TABLE events (number INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL)",
  "CREATE TABLE messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, run_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL, extra TEXT NOT NULL, at INTEGER NOT NULL)",
  "INSERT INTO meta VALUES ('owner', 'ann'), ('thread', 't'), ('generation', 'old')",
  "INSERT INTO runs VALUES ('a', 'task', 'ended', 'h', NULL, '{}', 1, 0, 1, 9, 5), ('b', 'task', 'ended', 'h', NULL, '{}', 0, 0, 1, 11, 6)",
  `INSERT INTO events VALUES (8, 'a', 'RUN_STARTED', '{"n":8}'), (9, 'a', 'RUN_FINISHED', '{"n":9}'), (10, 'b', 'RUN_STARTED', '{"n":10}'), (11, 'b', 'RUN_FINISHED', '{}')`,
  "INSERT INTO messages VALUES (1, 'u', 'a', 'user', 'hi', '{}', 5), (2, 't', 'a', 'tool', 'found', '{}', 6), (3, 'm', 'a', 'assistant', 'hello', '{}', 7)",
];

export class Log extends DurableObject {
  async fetch() {
    const { storage } = this.ctx;
    FIRST.forEach((statement) => storage.sql.exec(statement));
    const store = durableStore(storage);
    const head = { at: 0, data: "" };
    const errors = [];
    for (const call of [
      () => store.read("t", 0, 9),
      () => store.list({ due: 1, limit: 9 }),
      () => store.append("t", 0, [], head),
      () => store.delete("t"),
    ]) {
      try {
        await call();
        errors.push("none");
      } catch (error) {
        errors.push(error.code);
      }
    }
    const names = [...storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'")];
    return Response.json({ errors, names: names.map(({ name }) => name) });
  }
}

export default {
  fetch: (request, env) => env.LOGS.getByName(request.url).fetch(request),
};
