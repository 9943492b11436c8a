// A2A tasks of a service on a store: read, followed, cancelled and continued, in another process, in each version and binding.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { Decoder } from "agentwire";
import { memoryStore } from "agentwire/runs/server";
import { answersOn } from "../../support/answers.mjs";

const ORIGIN = "http://service.test";
const message = (text, more) => ({ message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more } });
const oldMessage = (text, more) => ({ message: { kind: "message", messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text }], ...more } });

function clientOf(service, user = "ann") {
  const fetch = (path, init = {}) => service.fetch(new Request(ORIGIN + path, { ...init, headers: { "content-type": "application/json", authorization: `Bearer ${user}`, ...init.headers } }));
  const call = (method, params, headers = {}) => fetch("/a2a", { method: "POST", headers: { "a2a-version": "1.0", ...headers }, body: JSON.stringify({ jsonrpc: "2.0", id: "q", method, params }) });
  const result = async (...given) => {
    // A refused stream is a stream, too.
    const { result, error } = JSON.parse((await (await call(...given)).text()).replace(/^data: /, ""));
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

const textOf = ({ artifacts }) => artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("");
const strict = ({ report }) => report.violations.filter(({ severity }) => severity === "error");

describe("stored A2A tasks", () => {
  const store = memoryStore();
  const runs = answersOn(store);
  after(() => runs.close());
  const { call, result, fetch } = clientOf(runs);
  const begin = async (text) => (await result("SendMessage", { ...message(text), configuration: { returnImmediately: true } })).task;

  test("a message is answered by the whole task, or by its stream", async () => {
    const { task } = await result("SendMessage", message("count 3"));
    assert.deepEqual([task.status.state, textOf(task)], ["TASK_STATE_COMPLETED", "1 好 2 好 3 好 "]);
    assert.deepEqual(await result("GetTask", { id: task.id }), task);
    const streamed = folded(await (await call("SendStreamingMessage", message("count 3"))).text());
    assert.deepEqual([streamed.report.endReason, strict(streamed), textOf(streamed.snapshot.task)], ["completed", [], textOf(task)]);
    assert.equal(textOf(await result("GetTask", { id: streamed.snapshot.task.id })), textOf(task));
  });

  test("a task continues without its connection, and is followed from any time on", async () => {
    const response = await call("SendStreamingMessage", message("count 100 2"));
    const reader = response.body.getReader();
    const { id } = JSON.parse(Buffer.from((await reader.read()).value).toString().split("\n")[0].slice("data: ".length)).result.task;
    await reader.cancel();
    const followed = await Promise.all([1, 2, 3].map(async () => folded(await (await call("SubscribeToTask", { id })).text())));
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
    await assert.rejects(result("SendMessage", message("count 1", { taskId: id })), { code: -32004 });
  });

  test("a running task accepts no message", async () => {
    const { id } = await begin("count 100000 2");
    await assert.rejects(result("SendMessage", message("count 1", { taskId: id })), { code: -32004 });
    await result("CancelTask", { id });
  });

  test("a task belongs to its user", async () => {
    const { id } = await begin("count 1");
    const bob = clientOf(runs, "bob");
    for (const method of ["GetTask", "CancelTask", "SubscribeToTask"]) await assert.rejects(bob.result(method, { id }), { code: -32001 });
    await assert.rejects(bob.result("SendMessage", message("count 1", { taskId: id })), { code: -32001 });
    assert.equal((await runs.fetch(new Request(`${ORIGIN}/a2a/tasks/${id}`))).status, 401);
  });

  test("version 0.3 and REST have the same tasks in their own form", async () => {
    const old = { "a2a-version": "0.3" };
    const task = await result("message/send", oldMessage("count 3"), old);
    assert.deepEqual([task.kind, task.status.state, textOf(task)], ["task", "completed", "1 好 2 好 3 好 "]);
    assert.deepEqual(await result("tasks/get", { id: task.id }, old), task);
    await assert.rejects(result("tasks/resubscribe", { id: task.id }, old), { code: -32004 });
    const slow = await begin("count 50 2");
    const resubscribed = folded(await (await call("tasks/resubscribe", { id: slow.id }, old)).text());
    assert.match(textOf(resubscribed.snapshot.task), /50 好 $/);
    const rest = await (await fetch(`/a2a/tasks/${task.id}`)).json();
    assert.deepEqual([rest.id, rest.status.state], [task.id, "TASK_STATE_COMPLETED"]);
    const streamed = folded(await (await fetch("/a2a/message:stream", { method: "POST", body: JSON.stringify(message("count 3")) })).text(), { binding: "rest" });
    assert.deepEqual([streamed.report.endReason, textOf(streamed.snapshot.task)], ["completed", "1 好 2 好 3 好 "]);
  });

  test("a repeated message with an idempotency key has one task", async () => {
    const sent = message("count 20 2");
    const tasks = await Promise.all(Array.from({ length: 5 }, () => result("SendMessage", sent, { "idempotency-key": "ann-task" })));
    assert.equal(new Set(tasks.map(({ task }) => task.id)).size, 1);
  });

  test("a task whose process has ended has failed in the next one", async (context) => {
    const store = memoryStore();
    const first = answersOn(store);
    const { task } = await clientOf(first).result("SendMessage", { ...message("count 100000 2"), configuration: { returnImmediately: true } });
    await first.close();
    const second = answersOn(store);
    context.after(() => second.close());
    const { status } = await clientOf(second).result("GetTask", { id: task.id });
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(status), /AGENT_RUN_INTERRUPTED/);
  });

  test("unknown tasks, invalid messages and the card are answered as by the adapter", async () => {
    await assert.rejects(result("GetTask", { id: "nothing" }), { code: -32001 });
    await assert.rejects(result("SendMessage", {}), { code: -32602 });
    await assert.rejects(result("Nothing", {}), { code: -32601 });
    assert.equal((await (await fetch("/.well-known/agent-card.json")).json()).name, "Agent");
  });
});
