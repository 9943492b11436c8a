// The list of a user's threads: pages, titles, the archive, search, deletion.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { RunsClient } from "agentwire/runs";
import { memoryStore } from "agentwire/stores";
import { runsService } from "../../support/runs_agent.mjs";
import { until } from "../../support/until.mjs";

const runs = runsService({ store: memoryStore() });
after(() => runs.close());
const clientOf = (user) =>
  new RunsClient("http://h/api/v1/agent", {
    headers: { authorization: `Bearer ${user}` },
    fetch: (url, init) => runs(new Request(url, init)),
    attempts: 1,
  });

/** Says something in a thread, and waits for the answer. */
async function said(client, text, threadId = crypto.randomUUID()) {
  const messages = [{ id: crypto.randomUUID(), role: "user", content: text }];
  const runId = crypto.randomUUID();
  await client.createRun({
    threadId,
    runId,
    messages,
    forwardedProps: { runtime_mode: "chat" },
  });
  await client.events(threadId, runId).finished();
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
    ["eve", one, { title: "mine" }, 404],
    ["bob", crypto.randomUUID(), { title: "none" }, 404],
    ["bob", one, { title: "x".repeat(201) }, 422],
    ["bob", one, { archived: "yes" }, 422],
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
