// The client of the runs endpoints, on a service in this process.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { RunsClient, historyMessages } from "agentwire/runs";
import { memoryBlobs } from "agentwire/runs/server";
import { memoryStore } from "agentwire/stores";
import { agent, runsService } from "../../support/runs_agent.mjs";

const runs = runsService({
  store: memoryStore(),
  blobs: memoryBlobs(),
});
after(() => runs.close());
const statuses = [];
const fetch = async (url, init) => {
  const response = await runs(new Request(url, init));
  statuses.push(response.status);
  return response;
};
const client = new RunsClient("http://localhost/api/v1/agent", {
  headers: { authorization: "Bearer ann" },
  fetch,
});
const request = (content, threadId = crypto.randomUUID()) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [{ id: crypto.randomUUID(), role: "user", content }],
  forwardedProps: { runtime_mode: "chat" },
});

test("createRun waits for the end of another run of the thread, if it is asked to", async () => {
  const first = request("count 1000 5");
  await client.createRun(first);
  await assert.rejects(client.createRun(request("count 1", first.threadId)), { status: 409 });
  const begun = Date.now();
  await assert.rejects(client.createRun(request("count 1", first.threadId), { busyWaitMs: 100 }), {
    status: 409,
  });
  assert.ok(Date.now() - begun < 1000);
  const stop = new AbortController();
  const aborted = client.createRun(request("count 1", first.threadId), {
    busyWaitMs: 60_000,
    signal: stop.signal,
  });
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(aborted);
  statuses.length = 0;
  const next = request("count 2", first.threadId);
  const waiting = client.createRun(next, { busyWaitMs: 60_000 });
  setTimeout(() => client.cancel(first.threadId, first.runId), 100);
  assert.equal((await waiting).runId, next.runId);
  assert.ok(statuses.includes(409));
  await assert.rejects(client.createRun(next, { busyWait: 1 }), { code: "wrong-option" });
  // Another refusal is not waited out.
  const [message] = next.messages;
  await assert.rejects(
    client.createRun(
      { ...next, messages: [{ ...message, content: "other" }] },
      { busyWaitMs: 60_000 },
    ),
    { status: 422 },
  );
});

test("the history is shown as the messages of a snapshot", async () => {
  const first = request("count 2");
  const image = { type: "binary", mimeType: "image/png", url: "https://pictures.example/1.png" };
  first.messages[0].content = [{ type: "text", text: "count 2" }, image];
  await client.createRun(first);
  const { snapshot } = await client.events(first.threadId, first.runId).finished();
  const messages = historyMessages(await client.history({ threadId: first.threadId }));
  assert.deepEqual(messages[0], first.messages[0]);
  assert.deepEqual(
    messages.slice(1),
    snapshot.messages.map(({ id, role, content }) => ({ id, role, content })),
  );
  const pages = [];
  for await (const page of client.historyPages(first.threadId)) pages.push(page);
  assert.deepEqual(historyMessages(pages), messages);
  // Pages have the latest first; suggestions and schemas are where the events had them.
  const more = {
    id: "a",
    role: "assistant",
    content: "b",
    seq: 1,
    timestamp: "",
    suggestedActions: ["c"],
    ui_schema: { d: 1 },
  };
  assert.deepEqual(
    historyMessages([
      { messages: [more] },
      { messages: [{ ...more, id: "0", ui_schema: null, suggestedActions: null }] },
    ]),
    [
      { id: "0", role: "assistant", content: "b" },
      {
        id: "a",
        role: "assistant",
        content: "b",
        metadata: { suggested_actions: ["c"], ui_schema: { d: 1 } },
      },
    ],
  );
});

test("a `Retry-After` of years is not waited for: the error has the time", async () => {
  for (const wait of [
    "601",
    "31536000",
    "9".repeat(30),
    "9".repeat(400),
    "Fri, 31 Dec 9999 23:59:59 GMT",
  ]) {
    for (const status of [429, 503]) {
      let asked = 0;
      const refusing = async () => {
        asked++;
        return new Response("{}", { status, headers: { "retry-after": wait } });
      };
      const quick = new RunsClient("http://localhost", {
        fetch: refusing,
        baseDelayMs: 1,
        maxDelayMs: 1,
      });
      for (const ask of [
        () => quick.createRun(request("Hi")),
        () => quick.events("t", "r").finished(),
      ]) {
        asked = 0;
        await assert.rejects(
          ask(),
          ({ code, retryAfterMs }) => code === "http-status" && retryAfterMs > 600_000,
        );
        assert.equal(asked, 1);
      }
    }
  }
  let asked = 0;
  const later = async () =>
    asked++ === 0
      ? new Response("{}", { status: 503, headers: { "retry-after": "0" } })
      : Response.json({ threadId: "t", runId: "r" });
  await new RunsClient("http://localhost", {
    fetch: later,
    baseDelayMs: 1,
    maxDelayMs: 1,
  }).createRun(request("Hi"));
  assert.equal(asked, 2);
});

test("a page or JSON instead of the events of a run is an error at once", async () => {
  for (const [body, type] of [
    ["<title>Log in</title>", "text/html"],
    ['{"detail":"Log in"}', "application/json"],
  ]) {
    let asked = 0;
    const page = async () => {
      asked++;
      return new Response(body, { headers: { "content-type": type } });
    };
    await assert.rejects(
      new RunsClient("http://localhost", { fetch: page, baseDelayMs: 1, maxDelayMs: 1 })
        .events("t", "r")
        .finished(),
      { code: "content-type", message: /Log in$/ },
    );
    assert.equal(asked, 1);
  }
});
