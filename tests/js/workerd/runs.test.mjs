import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { input, openRuns, ran } from "../support/runs_site.mjs";

describe("the runs service", () => {
  let site;
  let client;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" });
    client = site.client();
  });
  after(() => site?.close());

  test("a run is started, and its events are a valid stream", async () => {
    const request = input("杭州的天气怎么样？");
    const created = await client.createRun(request);
    assert.equal(created.threadId, request.threadId);
    assert.equal(created.runId, request.runId);
    assert.equal(created.created, true);
    const run = client.events(created.threadId, created.runId);
    const { snapshot, report } = await run.finished();
    assert.deepEqual(report.violations, []);
    assert.equal(report.endReason, "completed");
    assert.equal(snapshot.status, "finished");
    assert.match(
      snapshot.messages.findLast(({ role }) => role === "assistant").content,
      /^杭州现在/,
    );
    assert.match(run.cursor, /^\w+-\d+$/);
    assert.equal(run.connections.connections, 1);
  });

  test("a run continues without clients, and later clients receive all events", async () => {
    const request = input("tell me a long story", { variant: "long", delay: 2, tokens: 200 });
    const { threadId, runId } = await client.createRun(request);
    const early = client.events(threadId, runId);
    for await (const { snapshot } of early) {
      if (snapshot.messages.length > 0) {
        break;
      }
    }
    const cursor = early.cursor;
    const whole = await client.events(threadId, runId).finished();
    const again = await client.events(threadId, runId).finished();
    assert.deepEqual(again.snapshot, whole.snapshot);
    assert.equal(again.report.endReason, "completed");
    // From a cursor comes only the rest.
    const rest = client.events(threadId, runId, { after: cursor });
    const { snapshot } = await rest.finished();
    const [all, tail] = [whole.snapshot, snapshot].map(({ messages }) => messages.at(-1).content);
    assert.ok(tail.length > 0 && tail.length < all.length && all.endsWith(tail));
    assert.equal(snapshot.status, "finished");
  });

  test("a repeated request returns the same run, and another request with its id is rejected", async () => {
    const request = input("echo once");
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.createRun(request)));
    assert.equal(new Set(answers.map(({ taskId }) => taskId)).size, 1);
    assert.deepEqual(new Set(answers.map(({ created }) => created)), new Set([true]));
    await ran(client, request);
    await assert.rejects(
      client.createRun({ ...request, state: {} }),
      refusedWith(422, "AGENT_IDEMPOTENCY_CONFLICT"),
    );
    const keyed = { idempotencyKey: "one" };
    const first = input("echo keyed", undefined, { threadId: request.threadId });
    await client.createRun(first, keyed);
    await client.events(first.threadId, first.runId).finished();
    await assert.rejects(
      client.createRun({ ...first, runId: "other" }, keyed),
      refusedWith(422, "AGENT_IDEMPOTENCY_CONFLICT"),
    );
  });

  test("a thread has one active run at a time", async () => {
    const first = input("long story", { variant: "long", delay: 5, tokens: 100 });
    const { threadId, runId } = await client.createRun(first);
    const impatient = site.client({ attempts: 1 });
    await assert.rejects(
      impatient.createRun(input("echo second", undefined, { threadId })),
      refusedWith(409, "AGENT_SESSION_RUN_LIMIT_EXCEEDED"),
    );
    await client.events(threadId, runId).finished();
    const second = await ran(client, input("echo second", undefined, { threadId }));
    assert.equal(second.snapshot.status, "finished");
  });

  test("a cancelled run ends", async () => {
    const { threadId, runId } = await client.createRun(
      input("long story", { variant: "long", delay: 20, tokens: 5000 }),
    );
    const run = client.events(threadId, runId);
    let cancelled = false;
    for await (const { snapshot } of run) {
      if (!cancelled && snapshot.messages.length > 0) {
        cancelled = true;
        assert.deepEqual(await client.cancel(threadId, runId), { threadId, runId, accepted: true });
      }
    }
    const { snapshot, report } = await run.finished();
    assert.equal(report.endReason, "completed");
    assert.equal(snapshot.error.code, "AGENT_RUN_CANCELLED");
  });

  test("an agent that fails ends its run with the error that it exposes", async () => {
    const { snapshot, report } = await ran(client, input("please fail"));
    assert.equal(report.endReason, "completed");
    assert.deepEqual([snapshot.status, snapshot.error.code], ["failed", "WEATHER_STATION_SILENT"]);
  });

  test("the history returns the messages of a day", async () => {
    const request = input("echo remember this");
    await ran(client, request);
    const page = await client.history({ threadId: request.threadId });
    assert.equal(page.scope, "history_day");
    assert.equal(page.hasMore, false);
    assert.deepEqual(
      page.messages.map(({ role, content }) => [role, content]),
      [
        ["user", "echo remember this"],
        ["assistant", "remember this"],
      ],
    );
    assert.deepEqual(await client.history(), page);
    const before = await client.history({ threadId: request.threadId, before: page.day });
    assert.deepEqual([before.day, before.hasMore, before.messages], [null, false, []]);
    const pages = [];
    for await (const one of client.historyPages(request.threadId)) {
      pages.push(one);
    }
    assert.deepEqual(pages, [page]);
  });

  test("a large day is returned in pages without loss or duplicates", async () => {
    const { threadId } = input("");
    const said = Array.from({ length: 7 }, (_, at) => `echo ${at}${"é".repeat(150_000)}`);
    for (const text of said) {
      await ran(client, { ...input(text), threadId });
    }
    const pages = [];
    for await (const page of client.historyPages(threadId)) {
      pages.push(page);
    }
    assert.ok(pages.length >= 2 && pages.length <= 4, `${pages.length} pages`);
    for (const { messages } of pages) {
      assert.ok(messages.reduce((sum, { content }) => sum + content.length, 0) <= 1024 * 1024);
    }
    assert.deepEqual(
      pages.map(({ hasMore, beforeSeq, messages: [first] }) => [hasMore, beforeSeq === first.seq]),
      pages.map((_, at) => Array(2).fill(at < pages.length - 1)),
    );
    const all = pages.toReversed().flatMap(({ messages }) => messages);
    assert.deepEqual(
      all.filter(({ role }) => role === "user").map(({ content }) => content),
      said,
    );
    assert.deepEqual(
      all.map(({ role }) => role),
      said.flatMap(() => ["user", "assistant"]),
    );
    // A day before is asked for as ever.
    const { day } = await client.history({ threadId, before: pages[0].day });
    assert.equal(day, null);
  });

  test("the history contains UI schemas and suggested actions", async () => {
    const request = input("weather in Tokyo");
    await ran(client, request);
    const { messages } = await client.history({ threadId: request.threadId });
    const [user, tool, assistant] = ["user", "tool", "assistant"].map((wanted) =>
      messages.find(({ role }) => role === wanted),
    );
    assert.deepEqual(tool.ui_schema, {
      type: "card",
      title: "city",
      rows: ["celsius", "sky", "humidity", "wind"],
    });
    assert.equal(JSON.parse(tool.content).city, "Tokyo");
    assert.deepEqual(assistant.suggestedActions, [
      "Compare Paris and Tokyo",
      "Tell me a long story",
    ]);
    assert.deepEqual(Object.keys(user).sort(), ["content", "id", "role", "seq", "timestamp"]);
  });

  function refusedWith(status, code) {
    return (error) =>
      error.status === status &&
      error.json?.code === code &&
      error.headers.get("content-type") === "application/problem+json";
  }
});
