// The requests of this package to the official servers of A2A, both versions: they are accepted,
// and the responses are read.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as v1 from "a2a-sdk-1/server";
import * as v03 from "a2a-sdk-0/server";
import { AgentEvent } from "a2a-sdk-1/server";
import { cancelTask, connect, createRequest, getTask, nextRequest, read } from "agentwire/a2a";

const URL_ = "http://127.0.0.1/a2a";

/** Asks for a city, waits, and repeats the user's reply. */
function executor(publish, received) {
  return {
    async execute({ userMessage, taskId, contextId, task }, bus) {
      received.push(userMessage);
      publish(bus, { id: taskId, contextId, isNew: task === undefined });
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      publish(bus, { id: taskId, contextId: "c", isCancel: true });
      bus.finished();
    },
  };
}

const card = {
  name: "n",
  description: "d",
  version: "1",
  skills: [],
  capabilities: { streaming: true },
  defaultInputModes: [],
  defaultOutputModes: [],
};

const SERVERS = {
  "1.0": {
    sdk: v1,
    card: {
      ...card,
      supportedInterfaces: [{ url: URL_, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    },
    publish(bus, { id, contextId, isNew, isCancel }) {
      // The values of the states in the server's own types: input required, completed, canceled.
      const state = isCancel ? 5 : isNew ? 6 : 3;
      const status = { state, message: undefined, timestamp: undefined };
      bus.publish(
        AgentEvent.task({ id, contextId, status, artifacts: [], history: [], metadata: undefined }),
      );
    },
    context: () => new v1.ServerCallContext({ requestedVersion: "1.0" }),
  },
  0.3: {
    sdk: v03,
    card: { ...card, url: URL_, preferredTransport: "JSONRPC", protocolVersion: "0.3.0" },
    publish(bus, { id, contextId, isNew, isCancel }) {
      const status = { state: isCancel ? "canceled" : isNew ? "input-required" : "completed" };
      bus.publish({ kind: "task", id, contextId, status, history: [] });
    },
    context: () => new v03.ServerCallContext(),
  },
};

for (const [version, { sdk, card, publish, context }] of Object.entries(SERVERS)) {
  test(`the official server of ${version} accepts the requests, and its responses are read`, async () => {
    const received = [];
    const handler = new sdk.DefaultRequestHandler(
      card,
      new sdk.InMemoryTaskStore(),
      executor(publish, received),
    );
    const rpc = new sdk.JsonRpcTransportHandler(handler);
    const ask = async (request) => {
      assert.equal(request.headers.get("a2a-version"), version);
      return rpc.handle(await request.json(), context());
    };
    const answered = async (request) => {
      const frames = [];
      for await (const event of await ask(request))
        frames.push(`data: ${JSON.stringify(event)}\n\n`);
      const { snapshot, report } = await read(new Response(frames.join("")).body).finished();
      assert.deepEqual([snapshot.error, report.violations], [null, []], frames.join(""));
      return snapshot;
    };
    const asked = await answered(createRequest(URL_, "Weather?", { version }));
    assert.equal(asked.task.status.state, "TASK_STATE_INPUT_REQUIRED");
    const { result } = await ask(getTask(URL_, asked.task.id, { version }));
    assert.equal(result.id, asked.task.id);
    const parts = [
      { text: "Beijing" },
      { data: { exact: true } },
      { url: "https://example.com/a.png", mediaType: "image/png" },
    ];
    const done = await answered(
      createRequest(URL_, nextRequest(undefined, asked, parts), { version }),
    );
    assert.deepEqual(
      [done.task.id, done.task.contextId, done.task.status.state],
      [asked.task.id, asked.task.contextId, "TASK_STATE_COMPLETED"],
    );
    assert.deepEqual(
      received.map(({ parts }) => parts.length),
      [1, 3],
    );
    const other = await answered(createRequest(URL_, "Weather?", { version }));
    const canceled = await ask(cancelTask(URL_, other.task.id, { version }));
    assert.match(String(canceled.result.status.state), /canceled/i);
  });

  test(`connect() holds a conversation with the official server of ${version}`, async () => {
    const received = [];
    const handler = new sdk.DefaultRequestHandler(
      card,
      new sdk.InMemoryTaskStore(),
      executor(publish, received),
    );
    const rpc = new sdk.JsonRpcTransportHandler(handler);
    const fetch = async (request) => {
      const frames = [];
      for await (const event of await rpc.handle(await request.json(), context()))
        frames.push(`data: ${JSON.stringify(event)}\n\n`);
      return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
    };
    const chat = connect(URL_, { version, fetch });
    const asked = await chat.send("Weather?").finished();
    assert.deepEqual([asked.report.violations, asked.pending], [[], []]);
    const answered = await chat.send("Beijing").finished();
    assert.deepEqual(
      [answered.snapshot.task.id, answered.snapshot.task.status.state],
      [asked.snapshot.task.id, "TASK_STATE_COMPLETED"],
    );
    const { snapshot } = await chat.send("And Shanghai?").finished();
    assert.notEqual(snapshot.task.id, asked.snapshot.task.id);
    assert.equal(snapshot.task.contextId, asked.snapshot.task.contextId);
  });
}
