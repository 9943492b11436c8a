// A2A tasks of a service on a store: read, followed, cancelled and continued, in another process,
// in each version and binding.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { Decoder } from "agentwire";
import { handlerStore, memoryStore } from "agentwire/stores";
import { language, onlyTypeScript, openService } from "../../support/services.mjs";
import { until } from "../../support/until.mjs";

const ORIGIN = "http://service.test";
const message = (text, more) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
});
const oldMessage = (text, more) => ({
  message: {
    kind: "message",
    messageId: crypto.randomUUID(),
    role: "user",
    parts: [{ kind: "text", text }],
    ...more,
  },
});

function clientOf(service, user = "ann") {
  const fetch = (path, init = {}) =>
    service(
      new Request(ORIGIN + path, {
        ...init,
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${user}`,
          ...init.headers,
        },
      }),
    );
  const call = (method, params, headers = {}) =>
    fetch("/a2a", {
      method: "POST",
      headers: { "a2a-version": "1.0", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: "q", method, params }),
    });
  const result = async (...given) => {
    // A refused stream is a stream, too.
    const { result, error } = JSON.parse(
      (await (await call(...given)).text()).replace(/^data: /, ""),
    );
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result;
  };
  return { fetch, call, result };
}

function folded(text, options) {
  const decoder = new Decoder({ protocol: "a2a", ...options });
  decoder.push(Buffer.from(text));
  return decoder.finish();
}

const textOf = ({ artifacts }) =>
  artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("");
const strict = ({ report }) => report.violations.filter(({ severity }) => severity === "error");

describe(`stored A2A tasks: ${language}`, () => {
  const store = memoryStore();
  const runs = openService(store);
  after(() => runs.close());
  const { call, result, fetch } = clientOf(runs);
  const begin = async (text) =>
    (await result("SendMessage", { ...message(text), configuration: { returnImmediately: true } }))
      .task;

  test("a message is answered by the whole task, or by its stream", async () => {
    const { task } = await result("SendMessage", message("count 3"));
    assert.deepEqual(
      [task.status.state, textOf(task)],
      ["TASK_STATE_COMPLETED", "1 好 2 好 3 好 "],
    );
    assert.deepEqual(await result("GetTask", { id: task.id }), task);
    const streamed = folded(await (await call("SendStreamingMessage", message("count 3"))).text());
    assert.deepEqual(
      [streamed.report.endReason, strict(streamed), textOf(streamed.snapshot.task)],
      ["completed", [], textOf(task)],
    );
    assert.equal(textOf(await result("GetTask", { id: streamed.snapshot.task.id })), textOf(task));
  });

  test("a task continues without its connection, and is followed from any time on", async () => {
    const response = await call("SendStreamingMessage", message("count 100 2"));
    const reader = response.body.getReader();
    const { id } = JSON.parse(
      Buffer.from((await reader.read()).value)
        .toString()
        .split("\n")[0]
        .slice("data: ".length),
    ).result.task;
    await reader.cancel();
    const followed = await Promise.all(
      [1, 2, 3].map(async () => folded(await (await call("SubscribeToTask", { id })).text())),
    );
    for (const one of followed) {
      assert.deepEqual([one.report.endReason, strict(one)], ["completed", []]);
      assert.match(textOf(one.snapshot.task), /^1 好 2 好 .*99 好 100 好 $/);
    }
    assert.match(textOf(await result("GetTask", { id })), /100 好 $/);
  });

  test("a task is cancelled, also twice, and its followers receive its end", async () => {
    const { id } = await begin("count 100000 2");
    const following = call("SubscribeToTask", { id }).then((response) => response.text());
    const cancelled = await result("CancelTask", { id });
    assert.equal(cancelled.status.state, "TASK_STATE_CANCELED");
    assert.equal(folded(await following).snapshot.task.status.state, "TASK_STATE_CANCELED");
    assert.equal((await result("GetTask", { id })).status.state, "TASK_STATE_CANCELED");
    assert.deepEqual(await result("CancelTask", { id }), cancelled);
    const { task: done } = await result("SendMessage", message("count 1"));
    await assert.rejects(result("CancelTask", { id: done.id }), { code: -32002 });
    await assert.rejects(result("SendMessage", message("count 1", { taskId: id })), {
      code: -32004,
    });
  });

  test("a running task accepts no message", async () => {
    const { id } = await begin("count 100000 2");
    await assert.rejects(result("SendMessage", message("count 1", { taskId: id })), {
      code: -32004,
    });
    await result("CancelTask", { id });
  });

  test("a task belongs to its user", async () => {
    const { id } = await begin("count 1");
    const bob = clientOf(runs, "bob");
    for (const method of ["GetTask", "CancelTask", "SubscribeToTask"])
      await assert.rejects(bob.result(method, { id }), { code: -32001 });
    await assert.rejects(bob.result("SendMessage", message("count 1", { taskId: id })), {
      code: -32001,
    });
    assert.equal((await runs(new Request(`${ORIGIN}/a2a/tasks/${id}`))).status, 401);
  });

  test("version 0.3 and REST have the same tasks in their own form", async () => {
    const old = { "a2a-version": "0.3" };
    const task = await result("message/send", oldMessage("count 3"), old);
    assert.deepEqual(
      [task.kind, task.status.state, textOf(task)],
      ["task", "completed", "1 好 2 好 3 好 "],
    );
    assert.deepEqual(await result("tasks/get", { id: task.id }, old), task);
    await assert.rejects(result("tasks/resubscribe", { id: task.id }, old), { code: -32004 });
    const slow = await begin("count 50 2");
    const resubscribed = folded(
      await (await call("tasks/resubscribe", { id: slow.id }, old)).text(),
    );
    assert.match(textOf(resubscribed.snapshot.task), /50 好 $/);
    const rest = await (await fetch(`/a2a/tasks/${task.id}`)).json();
    assert.deepEqual([rest.id, rest.status.state], [task.id, "TASK_STATE_COMPLETED"]);
    const streamed = folded(
      await (
        await fetch("/a2a/message:stream", {
          method: "POST",
          body: JSON.stringify(message("count 3")),
        })
      ).text(),
      { binding: "rest" },
    );
    assert.deepEqual(
      [streamed.report.endReason, textOf(streamed.snapshot.task)],
      ["completed", "1 好 2 好 3 好 "],
    );
  });

  test("a repeated message with an idempotency key has one task", async () => {
    const sent = message("count 20 2");
    const tasks = await Promise.all(
      Array.from({ length: 5 }, () =>
        result("SendMessage", sent, { "idempotency-key": "ann-task" }),
      ),
    );
    assert.equal(new Set(tasks.map(({ task }) => task.id)).size, 1);
  });

  test("tasks are listed in pages, the last changed first, by context and state, and only for their user", async () => {
    const dan = clientOf(runs, "dan");
    const contextId = crypto.randomUUID();
    const ids = [];
    for (const text of ["count 1", "fail", "count 2", "count 3", "count 4"])
      ids.unshift((await dan.result("SendMessage", message(text, { contextId }))).task.id);
    const other = (await dan.result("SendMessage", message("count 1"))).task.id;
    const listed = [];
    for (let pageToken; pageToken !== ""; ) {
      const page = await dan.result("ListTasks", { contextId, pageSize: 2, pageToken });
      assert.deepEqual([page.pageSize, page.totalSize, page.tasks[0].artifacts], [2, 5, undefined]);
      listed.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    }
    assert.deepEqual(listed, ids);
    assert.deepEqual(
      (await dan.result("ListTasks", {})).tasks.map(({ id }) => id),
      [other, ...ids],
    );
    assert.deepEqual(
      (await dan.result("ListTasks", { status: "TASK_STATE_FAILED" })).tasks.map(({ id }) => id),
      [ids[3]],
    );
    assert.equal(
      textOf((await dan.result("ListTasks", { includeArtifacts: true })).tasks[0]),
      "1 好 ",
    );
    assert.equal((await clientOf(runs, "eve").result("ListTasks", { contextId })).totalSize, 0);
    await assert.rejects(dan.result("ListTasks", { pageToken: "x" }), { code: -32602 });
    const slow = (
      await dan.result("SendMessage", {
        ...message("count 100000 2"),
        configuration: { returnImmediately: true },
      })
    ).task.id;
    assert.deepEqual(
      (await dan.result("ListTasks", { status: "TASK_STATE_WORKING" })).tasks.map(({ id }) => id),
      [slow],
    );
    await dan.result("CancelTask", { id: slow });
    await until(
      async () =>
        (await dan.result("ListTasks", { status: "TASK_STATE_CANCELED" })).totalSize === 1,
    );
  });

  test("a new task replaces the oldest ones of its user, and tasks are deleted at the end of their life", async (context) => {
    const small = openService(memoryStore(), {
      limits: { userTasks: 2 },
      retention: { taskMs: 1500 },
    });
    context.after(() => small.close());
    const { result } = clientOf(small);
    const slow = (
      await result("SendMessage", {
        ...message("count 100000 2"),
        configuration: { returnImmediately: true },
      })
    ).task.id;
    const ids = [];
    for (let at = 0; at < 4; at++)
      ids.unshift((await result("SendMessage", message("count 1"))).task.id);
    assert.deepEqual(
      (await result("ListTasks", {})).tasks.map(({ id }) => id),
      [...ids.slice(0, 2), slow],
    );
    await assert.rejects(result("GetTask", { id: ids[2] }), { code: -32001 });
    await result("CancelTask", { id: slow });
    await until(async () => (await result("ListTasks", {})).totalSize === 0);
    for (const id of [...ids, slow])
      await assert.rejects(result("GetTask", { id }), { code: -32001 });
  });

  test("without a user, tasks are listed by their context only", async (context) => {
    const open = openService(memoryStore(), { isPublic: true });
    context.after(() => open.close());
    const { result } = clientOf(open, "");
    const { task } = await result("SendMessage", message("who"));
    assert.equal(textOf(task), "a stranger");
    await assert.rejects(result("ListTasks", {}), { code: -32602 });
    assert.deepEqual(
      (await result("ListTasks", { contextId: task.contextId })).tasks.map(({ id }) => id),
      [task.id],
    );
  });

  test("`admit` refuses a message, in the form of its client", onlyTypeScript, async (context) => {
    const asked = [];
    const admit = (user, action, _, { url }) => void asked.push([user, action, url]) ?? false;
    const busy = openService(memoryStore(), { admit });
    context.after(() => busy.close());
    const { call, fetch, result } = clientOf(busy);
    const refused = await call("SendMessage", message("count 1"));
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "10"]);
    const { id, error } = await refused.json();
    assert.deepEqual([id, error.code], ["q", -32000]);
    assert.deepEqual(asked, [["ann", "answer", `${ORIGIN}/a2a`]]);
    const rest = await fetch("/a2a/message:send", {
      method: "POST",
      body: JSON.stringify(message("count 1")),
    });
    assert.deepEqual([rest.status, (await rest.json()).error.status], [429, "RESOURCE_EXHAUSTED"]);
    const openai = await fetch("/v1/responses", {
      method: "POST",
      body: JSON.stringify({ input: "count 1" }),
    });
    assert.deepEqual(
      [openai.status, (await openai.json()).error.code],
      [429, "rate_limit_exceeded"],
    );
    // Requests that start no agent are not asked.
    await assert.rejects(result("GetTask", { id: "nothing" }), { code: -32001 });
    assert.equal(asked.length, 3);
  });

  test("a task whose process has ended has failed in the next one", async (context) => {
    const store = memoryStore();
    const first = openService(store);
    const { task } = await clientOf(first).result("SendMessage", {
      ...message("count 100000 2"),
      configuration: { returnImmediately: true },
    });
    await first.close();
    const second = openService(store);
    context.after(() => second.close());
    const { status } = await clientOf(second).result("GetTask", { id: task.id });
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(status), /AGENT_RUN_INTERRUPTED/);
  });

  test("unknown tasks, invalid messages and the card are answered as by the adapter", async () => {
    await assert.rejects(result("GetTask", { id: "nothing" }), { code: -32001 });
    await assert.rejects(result("SendMessage", {}), { code: -32602 });
    await assert.rejects(result("Nothing", {}), { code: -32601 });
    const card = await (await fetch("/.well-known/agent-card.json")).json();
    assert.equal(card.name, language === "Rust" ? "agent" : "Agent");
  });
});
