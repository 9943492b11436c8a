// Two processes that use one store: here two handlers over one store in memory, which reports the
// changes of each to the other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runsAdapter } from "agentwire/runs/server";
import { createHandler } from "agentwire/server";
import { handlerStore, memoryStore } from "agentwire/stores";

const THREAD = crypto.randomUUID();

/** Returns stores with the same logs; `beforeAppend` is called before each write of the first one. */
function sharedStores(beforeAppend) {
  const logs = memoryStore();
  const watching = [new Set(), new Set()];
  return watching.map((own, at) => {
    const report = (log) =>
      watching[1 - at].forEach(({ name, changed }) => log.startsWith(name) && changed());
    return handlerStore({
      leaseMs: 1000,
      append: async (log, after, entries, head) => {
        if (at === 0) await beforeAppend(entries);
        const isDone = await logs.append(log, after, entries, head);
        if (isDone) report(log);
        return isDone;
      },
      read: async (...query) => logs.read(...query),
      list: async (query) => logs.list(query),
      delete: async (log, last) => {
        logs.delete(log, last);
        report(log);
      },
      watch: async (name, changed) => {
        const watch = { name, changed };
        own.add(watch);
        return () => own.delete(watch);
      },
    });
  });
}

test("an answer is whole where it is made, although another process records its end first", async () => {
  let release;
  const isRecorded = new Promise((resolve) => (release = resolve));
  // The process that makes the answer records its end after the other one.
  const stores = sharedStores((entries) =>
    entries.some(({ text }) => text.includes('"status":"ended"')) ? isRecorded : undefined,
  );
  const agent = async (out) => {
    await out.text("one ");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await out.text("two");
  };
  const [one, other] = stores.map((store) =>
    createHandler({ agent, store, authenticate: () => "ann", protocols: ["ag-kit"] }),
  );
  const response = await one(
    new Request("http://service.test/send-message", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable" },
      body: JSON.stringify({ conversationId: "c", messages: [{ role: "user", content: "hi" }] }),
    }),
  );
  const text = response.text();
  const where = new URL(response.headers.get("content-location"), "http://service.test");
  const followed = await (await other(new Request(where))).text();
  assert.match(followed, /"one "[^]*"two"[^]*\[DONE\]/);
  release();
  // The comments of a connection that waits are its own.
  const framesOf = (all) => all.split("\n\n").filter((frame) => !frame.startsWith(":"));
  assert.deepEqual(framesOf(await text), framesOf(followed));
  await Promise.all([one.close(), other.close()]);
});

test("the next run, in another process, is followed where the end of the one before is still being recorded", async () => {
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  const stores = sharedStores((entries) =>
    entries.some(({ text }) => text.includes('"status":"ended"')) ? isReleased : undefined,
  );
  const agent = (out, { text }) => out.text(`answer to ${text}`);
  const [one, other] = stores.map((store) =>
    createHandler({
      agent,
      store,
      authenticate: () => "ann",
      protocols: [],
      adapters: [runsAdapter()],
    }),
  );
  const runs = "http://service.test/api/v1/agent/runs";
  const create = (handler, runId) =>
    handler(
      new Request(runs, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          threadId: THREAD,
          runId,
          messages: [{ id: crypto.randomUUID(), role: "user", content: runId }],
          forwardedProps: { runtime_mode: "chat" },
        }),
      }),
    );
  const events = async (handler, runId) => {
    const response = await handler(new Request(`${runs}/${THREAD}/events?runId=${runId}`));
    assert.equal(response.status, 200, await (response.ok || response.text()));
    return response.text();
  };
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  assert.equal((await create(one, first)).status, 202);
  assert.match(await events(other, first), /event: RUN_FINISHED/);
  assert.equal((await create(other, second)).status, 202);
  const followed = events(one, second);
  assert.match(await events(other, second), /event: RUN_FINISHED/);
  release();
  assert.match(await followed, new RegExp(`answer to ${second}[^]*event: RUN_FINISHED`));
  await Promise.all([one.close(), other.close()]);
});
