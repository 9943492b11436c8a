// A thread's object that finds the tables of the first version, with a run that was shortened then.
import { DurableObject } from "cloudflare:workers";
import { durableThread } from "agentwire/runs/server";

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
const SHORTENED = [
  "CREATE TABLE shortened (run_id TEXT PRIMARY KEY, began INTEGER NOT NULL)",
  "INSERT INTO shortened VALUES ('a', 1)",
];

export class Log extends DurableObject {
  async fetch(request) {
    const { storage } = this.ctx;
    const statements = request.url.endsWith("/shortened") ? [...FIRST, ...SHORTENED] : FIRST;
    statements.forEach((statement) => storage.sql.exec(statement));
    const first = durableThread(storage, "t");
    const again = durableThread(storage, "t");
    const message = {
      id: "n",
      role: "assistant",
      content: "",
      extra: "{}",
      message: '{"id":"n","role":"assistant"}',
      isShown: false,
      at: 7,
    };
    await again.addRun({
      owner: "ann",
      base: "",
      runId: "c",
      taskId: "task",
      hash: "h",
      input: "{}",
      at: 7,
      key: null,
      messages: [message],
    });
    const number = await again.append("c", [{ kind: "RUN_STARTED", data: "{}" }]);
    return Response.json({
      generations: [first.state().generation, again.state().generation],
      bytes: again.state().bytes,
      short: again.ended().map(({ runId, isShort }) => [runId, isShort ? 1 : 0]),
      entries: again.read("a", 0, 99, 99).map(({ number }) => number),
      number,
      history: again.history("9999", 99, 9999).messages.map(({ content }) => content),
      agents: again.latestMessages(1000).map((message) => JSON.parse(message).id),
    });
  }
}

export default {
  fetch: (request, env) => env.LOGS.getByName(request.url).fetch(request),
};
