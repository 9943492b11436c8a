// The list of a user's threads: pages, titles, the archive, search, deletion.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { RunsClient } from "agentwire/runs";
import { memoryStore } from "agentwire/stores";
import { openService } from "../../support/services.mjs";
import { until } from "../../support/until.mjs";

const runs = openService(memoryStore());
after(() => runs.close());
const clientOf = (user) =>
  new RunsClient("http://h/api/v1/agent", {
    headers: { authorization: `Bearer ${user}` },
    fetch: (url, init) => runs(new Request(url, init)),
    attempts: 1,
  });

/** Starts a run in a thread; returns its id. */
async function asked(client, text, threadId) {
  const messages = [{ id: crypto.randomUUID(), role: "user", content: text }];
  const runId = crypto.randomUUID();
  await client.createRun({
    threadId,
    runId,
    messages,
    forwardedProps: { runtime_mode: "chat" },
  });
  return runId;
}

/** Says something in a thread, and waits for the answer. */
async function said(client, text, threadId = crypto.randomUUID()) {
  await client.events(threadId, await asked(client, text, threadId)).finished();
  return threadId;
}

const titlesOf = ({ threads }) => threads.map(({ title }) => title);

test("the last used first, in pages, each with the beginning of its first message", async () => {
  const client = clientOf("ann");
  assert.deepEqual(await client.threads(), { threads: [], next: null });
  const first = await said(client, "count 1");
  await said(client, "count 2");
  await said(client, "count  3\n0");
  assert.deepEqual(titlesOf(await client.threads()), ["count 3 0", "count 2", "count 1"]);
  await said(client, "recall", first);
  assert.deepEqual(titlesOf(await client.threads()), ["count 1", "count 3 0", "count 2"]);
  const page = await client.threads({ limit: 2 });
  assert.deepEqual(titlesOf(page), ["count 1", "count 3 0"]);
  const rest = await client.threads({ limit: 2, after: page.next });
  assert.deepEqual([titlesOf(rest), rest.next], [["count 2"], null]);
  assert.deepEqual(titlesOf(await clientOf("eve").threads()), []);
});

test("titles, the archive and search", async () => {
  const client = clientOf("bob");
  const [one, two] = [await said(client, "count 1"), await said(client, "count 2")];
  const changed = await client.changeThread(one, { title: "The Weather" });
  assert.deepEqual([changed.title, changed.archived], ["The Weather", false]);
  await said(client, "recall", one);
  assert.deepEqual(titlesOf(await client.threads({ search: "weather" })), ["The Weather"]);
  await client.changeThread(two, { archived: true });
  assert.deepEqual(titlesOf(await client.threads()), ["The Weather"]);
  assert.deepEqual(titlesOf(await client.threads({ archived: true })), ["count 2"]);
  await client.changeThread(two, { archived: false });
  assert.equal((await client.threads()).threads.length, 2);
  for (const [user, thread, change, status] of [
    ["eve", one, { title: "mine" }, 403],
    ["bob", crypto.randomUUID(), { title: "none" }, 404],
    ["bob", one, { title: "x".repeat(201) }, 422],
    ["bob", one, { archived: "yes" }, 422],
    ["bob", one, ["title"], 422],
    ["bob", "one", { title: "none" }, 422],
  ])
    await assert.rejects(clientOf(user).changeThread(thread, change), { status });
});

test("a deleted thread is not listed", async () => {
  const client = clientOf("carl");
  const thread = await said(client, "count 1");
  await client.deleteThread(thread);
  await until(async () => (await client.threads()).threads.length === 0);
  await assert.rejects(client.changeThread(thread, { title: "x" }), { status: 404 });
});

test("a thread that is deleted while its answer is being written is not listed", async () => {
  const client = clientOf("hank");
  for (const wait of [0, 1, 5, 20, 50]) {
    const threadId = crypto.randomUUID();
    await asked(client, "count 100 10", threadId);
    await new Promise((resolve) => setTimeout(resolve, wait));
    await client.deleteThread(threadId);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await client.threads(), { threads: [], next: null }, `after ${wait} ms`);
  }
});

test("a thread can be renamed as soon as it has a run, and keeps the name", async () => {
  const client = clientOf("dave");
  for (let at = 0; at < 20; at++) {
    const threadId = crypto.randomUUID();
    const runId = await asked(client, "count 1", threadId);
    const changed = await client.changeThread(threadId, { title: `name ${at}` });
    assert.deepEqual([changed.threadId, changed.title], [threadId, `name ${at}`]);
    await client.events(threadId, runId).finished();
    assert.equal(titlesOf(await client.threads())[0], `name ${at}`);
    await client.changeThread(threadId, { archived: true });
  }
  const { threads } = await client.threads({ archived: true, limit: 100 });
  assert.deepEqual(
    threads.map(({ title }) => title).sort(),
    Array.from({ length: 20 }, (_, at) => `name ${at}`).sort(),
  );
});

test("an archived thread without another title keeps the beginning of its first message", async () => {
  const client = clientOf("fred");
  const threadId = crypto.randomUUID();
  const runId = await asked(client, "count 1", threadId);
  await client.changeThread(threadId, { archived: true });
  await client.events(threadId, runId).finished();
  assert.deepEqual(titlesOf(await client.threads({ archived: true })), ["count 1"]);
});

test("a title has whole characters, and any", async () => {
  const client = clientOf("gina");
  const one = await said(client, `who ${"x".repeat(195)}😀 more`);
  assert.deepEqual(titlesOf(await client.threads()), [`who ${"x".repeat(195)}`]);
  const title = `${"😀".repeat(99)}\u0001\0`;
  assert.equal((await client.changeThread(one, { title })).title, title);
  assert.deepEqual(titlesOf(await client.threads({ search: "\0" })), [title]);
});

test("wrong requests are refused", async () => {
  const headers = { authorization: "Bearer hugo", "content-type": "application/json" };
  const statusOf = async (path, init) =>
    (await runs(new Request(`http://h/api/v1/agent${path}`, { headers, ...init }))).status;
  for (const query of ["limit=0", "limit=x", "limit=-1", "archived=1"])
    assert.equal(await statusOf(`/threads?${query}`), 422, query);
  const thread = await said(clientOf("hugo"), "count 1");
  for (const body of ["", "{", "null", '"title"', '{"title":null}', '{"archived":null}'])
    assert.equal(await statusOf(`/threads/${thread}`, { method: "PATCH", body }), 422, body);
  assert.equal(await statusOf("/threads", { method: "POST", body: "{}" }), 405);
  assert.equal(await statusOf(`/threads/${thread}`), 405);
  assert.equal(await statusOf("/threads", { headers: {} }), 401);
});
