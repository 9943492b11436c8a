// The store in a SQLite file, in a Node that has `node:sqlite`: a full disk, a second process, a
// process that continues.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { RunsClient } from "agentwire/runs";
import { sqliteStore } from "agentwire/stores";
import { agent, runsService } from "../../support/runs_agent.mjs";
import { until } from "../../support/until.mjs";

const folder = await mkdtemp(join(tmpdir(), "agentwire-sqlite-"));
after(() => rm(folder, { recursive: true, force: true }));

const request = (text, threadId = crypto.randomUUID()) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [{ id: "u", role: "user", content: text }],
  forwardedProps: { runtime_mode: "chat" },
});

function open(store, options) {
  const errors = [];
  const runs = runsService({
    store,
    onError: (error) => errors.push(error),
    ...options,
  });
  const client = new RunsClient("http://runs.example/api/v1/agent", {
    headers: { authorization: "Bearer ann" },
    fetch: (url, init) => runs(new Request(url, init)),
    baseDelayMs: 5,
    maxDelayMs: 50,
    attempts: 1000,
  });
  return { runs, client, errors };
}

test("a full disk returns 503, ends runs and does not block; the service continues when space is available", async () => {
  const database = new DatabaseSync(join(folder, "full.sqlite"));
  const store = sqliteStore(database);
  const { runs, client, errors } = open(store, { limits: { keepAliveMs: 50 } });
  await client.createRun(request("count 1"));
  const [{ page_count: pages }] = database.prepare("PRAGMA page_count").all();
  database.exec(`PRAGMA max_page_count = ${pages + 20}`);
  const run = request("count 100000");
  await client.createRun(run);
  const following = client.events(run.threadId, run.runId);
  const finished = following.finished();
  await until(() => errors.some(({ message }) => /full/.test(message)));
  // A request that needs space is refused, and may be repeated.
  const body = JSON.stringify({ ...request("x".repeat(500_000)) });
  const refused = await runs(
    new Request("http://runs.example/api/v1/agent/runs", {
      method: "POST",
      headers: { authorization: "Bearer ann", "content-type": "application/json" },
      body,
    }),
  );
  assert.deepEqual(
    [refused.status, refused.headers.get("retry-after"), (await refused.json()).code],
    [503, "5", "AGENT_STORAGE_UNAVAILABLE"],
  );
  database.exec("PRAGMA max_page_count = 1000000");
  const { snapshot, report } = await finished;
  assert.deepEqual(
    [snapshot.error.code, report.endReason, report.violations],
    ["AGENT_RUN_INTERRUPTED", "completed", []],
  );
  const text = snapshot.messages.find(({ role }) => role === "assistant")?.content ?? "";
  assert.equal(
    text,
    Array.from({ length: text.split(" ").length - 1 }, (_, at) => `${at + 1} `).join(""),
    "nothing is lost or doubled",
  );
  await client.createRun(request("count 1", run.threadId));
  runs.close();
  store.close();
});

test("a database file is locked by one process", () => {
  const path = join(folder, "one.sqlite");
  const store = sqliteStore(path);
  assert.throws(() => sqliteStore(path), /locked/);
  store.close();
  sqliteStore(path).close();
});

test("a reopened service continues, and a run in progress is interrupted", async () => {
  const path = join(folder, "again.sqlite");
  const first = sqliteStore(path);
  const one = open(first);
  const [begun, next] = [request("count 500 20"), request("count 2")];
  await one.client.createRun(begun);
  for await (const { snapshot } of one.client.events(begun.threadId, begun.runId)) {
    if (snapshot.messages.some(({ content }) => content?.length > 6)) break;
  }
  one.runs.close();
  first.close();
  const second = sqliteStore(path);
  const two = open(second);
  const { snapshot } = await two.client.events(begun.threadId, begun.runId).finished();
  assert.equal(snapshot.error.code, "AGENT_RUN_INTERRUPTED");
  await two.client.createRun(next);
  assert.equal(
    (await two.client.events(next.threadId, next.runId).finished()).snapshot.status,
    "finished",
  );
  two.runs.close();
  second.close();
});
