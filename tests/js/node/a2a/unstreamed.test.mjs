// Agents that do not stream: `connect` and `callModel` send the message again without a stream, and
// read its task until it ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as a2a from "agentwire/a2a";
import * as agUi from "agentwire/ag-ui";
import { read } from "agentwire";
import { callModel, createHandler } from "agentwire/server";
import { until } from "../../support/until.mjs";

const JSON_TYPE = { "content-type": "application/json" };

/** The forms of a task in both versions. */
const VERSIONS = {
  "1.0": {
    methods: ["SendStreamingMessage", "SendMessage", "GetTask", "CancelTask"],
    state: (name) => `TASK_STATE_${name.toUpperCase().replace("-", "_")}`,
    task: (task) => ({ task }),
    read: (task) => task,
    text: (text) => ({ text }),
    message: (text) => ({ message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text }] } }),
  },
  0.3: {
    methods: ["message/stream", "message/send", "tasks/get", "tasks/cancel"],
    state: (name) => name,
    task: (task) => ({ kind: "task", ...task }),
    read: (task) => ({ kind: "task", ...task }),
    text: (text) => ({ kind: "text", text }),
    message: (text) => ({
      kind: "message",
      messageId: "m",
      role: "agent",
      parts: [{ kind: "text", text }],
    }),
  },
};

/** How a server refuses to stream. */
const REFUSALS = {
  "an error": (id) =>
    new Response(
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        error: { code: -32004, message: "Streaming is not supported" },
      }),
      { headers: JSON_TYPE },
    ),
  "an unknown method": (id) =>
    new Response(
      JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }),
      { status: 404, headers: JSON_TYPE },
    ),
  "a pretty error": (id) =>
    new Response(
      `\n${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32004, message: "x" } }, null, 2)}`,
      { status: 400, headers: JSON_TYPE },
    ),
  "an event": (id) =>
    new Response(
      `: hi\r\n\r\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32004, message: "x" } })}\r\n\r\n`,
      { headers: { "content-type": "text/event-stream" } },
    ),
};

/** Returns an agent without streams, whose task has these states in order, and its calls. */
function agent(version, states, { refusal = "an error", reply, broken = () => undefined } = {}) {
  const { methods, state, task, read: taskRead, text } = VERSIONS[version];
  const calls = [];
  const at = (index) => {
    const [name, ...texts] = states[Math.min(index, states.length - 1)];
    return {
      id: "t1",
      contextId: "c1",
      status: { state: state(name) },
      artifacts: texts.map((each, number) => ({ artifactId: `a${number}`, parts: [text(each)] })),
    };
  };
  let reads = 0;
  const fetch = async (request) => {
    const { id, method, params } = JSON.parse(await request.text());
    calls.push({ method, params, headers: Object.fromEntries(request.headers) });
    const which = methods.indexOf(method);
    const failure = broken(which, calls.length);
    if (failure !== undefined) return failure;
    if (which === 0) return REFUSALS[refusal](id);
    const result = which === 1 ? (reply ?? task(at(0))) : taskRead(at(++reads));
    return new Response(JSON.stringify({ jsonrpc: "2.0", id, result }, null, 2), {
      headers: JSON_TYPE,
    });
  };
  return { calls, fetch };
}

const textsOf = ({ task }) =>
  task?.artifacts?.map(({ parts }) => parts.map(({ text }) => text).join(""));

for (const version of ["1.0", "0.3"]) {
  const { methods, message } = VERSIONS[version];
  for (const refusal of Object.keys(REFUSALS)) {
    test(`${version}: connect() sends the same message without a stream after ${refusal}`, async () => {
      const { calls, fetch } = agent(version, [["completed", "Hello"]], { refusal });
      const { snapshot, report } = await a2a
        .connect("http://localhost/a2a", { version, fetch, headers: { authorization: "Bearer k" } })
        .send("Hi")
        .finished();
      assert.deepEqual(
        [textsOf(snapshot), snapshot.task.status.state, report.endReason],
        [["Hello"], "TASK_STATE_COMPLETED", "completed"],
      );
      assert.deepEqual(report.violations, []);
      assert.deepEqual(
        calls.map(({ method }) => method),
        methods.slice(0, 2),
      );
      assert.deepEqual(calls[1].params, calls[0].params);
      assert.deepEqual(
        [calls[1].headers.authorization, calls[1].headers["a2a-version"], calls[1].headers.accept],
        ["Bearer k", version, "application/json"],
      );
    });
  }

  test(`${version}: a task that works is read until it ends, and its changes are updates`, async () => {
    const { calls, fetch } = agent(version, [
      ["submitted"],
      ["working", "He"],
      ["working", "He"],
      ["completed", "Hello", "World"],
    ]);
    const seen = [];
    const run = a2a.connect("http://localhost/a2a", { version, fetch }).send("Hi");
    for await (const { snapshot } of run)
      seen.push([snapshot?.task?.status.state, textsOf(snapshot ?? {}) ?? []]);
    const { snapshot, report } = await run.finished();
    assert.deepEqual(
      calls.map(({ method }) => method),
      [methods[0], methods[1], methods[2], methods[2], methods[2]],
    );
    assert.deepEqual(calls[4].params, { id: "t1" });
    assert.deepEqual(textsOf(snapshot), ["Hello", "World"]);
    assert.deepEqual(
      [snapshot.task.contextId, report.endReason, report.violations],
      ["c1", "completed", []],
    );
    assert.ok(seen.some(([state]) => state === "TASK_STATE_WORKING"));
  });

  test(`${version}: a message, a question and a failure are the end`, async () => {
    const said = agent(version, [["completed"]], { reply: message("Hello") });
    const { snapshot } = await a2a
      .connect("http://localhost/a2a", { version, fetch: said.fetch })
      .send("Hi")
      .finished();
    assert.equal(snapshot.message.parts[0].text, "Hello");
    for (const [state, end] of [
      ["input-required", "completed"],
      ["failed", "error"],
      ["rejected", "error"],
    ]) {
      const { calls, fetch } = agent(version, [[state]]);
      const outcome = await a2a
        .connect("http://localhost/a2a", { version, fetch })
        .send("Hi")
        .finished();
      assert.equal(
        outcome.snapshot.task.status.state,
        `TASK_STATE_${state.toUpperCase().replace("-", "_")}`,
      );
      assert.ok(
        outcome.report.endReason !== "truncated",
        `${state} ${outcome.report.endReason} ${end}`,
      );
      assert.equal(calls.length, 2);
    }
  });

  test(`${version}: stop() ends the reading and cancels the task`, async () => {
    const { calls, fetch } = agent(version, [["working"]]);
    const client = a2a.connect("http://localhost/a2a", { version, fetch });
    for await (const { snapshot } of client.send("Hi")) {
      if (snapshot?.task) {
        client.stop();
      }
    }
    await until(() => calls.at(-1).method === methods[3]);
    const { length } = calls;
    await new Promise((resolve) => setTimeout(resolve, 900));
    assert.equal(calls.length, length);
  });
}

test("a task that cannot be read for a moment is read again; one that cannot be read at all is an error", async () => {
  const once = agent("1.0", [["working"], ["completed", "Hello"]], {
    broken: (which, number) =>
      which === 2 && number === 3 ? new Response("busy", { status: 503 }) : undefined,
  });
  const { snapshot } = await a2a
    .connect("http://localhost/a2a", { fetch: once.fetch })
    .send("Hi")
    .finished();
  assert.deepEqual(textsOf(snapshot), ["Hello"]);
  const never = agent("1.0", [["working"]], {
    broken: (which) => (which === 2 ? new Response("gone", { status: 503 }) : undefined),
  });
  await assert.rejects(
    a2a.connect("http://localhost/a2a", { fetch: never.fetch }).send("Hi").text(),
    (error) => {
      assert.match(`${error.code} ${error.message}`, /http-status.*503: gone/);
      return true;
    },
  );
  assert.equal(never.calls.length, 5);
});

test("other errors are not repeated: the client sees them", async () => {
  for (const [code, message] of [
    [-32602, "Invalid params"],
    [-32001, "Task not found"],
    [-32603, "Internal"],
  ]) {
    const calls = [];
    const fetch = async (request) => {
      const { id, method } = JSON.parse(await request.text());
      calls.push(method);
      return new Response(
        `data: ${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n\n`,
        { headers: { "content-type": "text/event-stream" } },
      );
    };
    const { error } = await a2a.connect("http://localhost/a2a", { fetch }).send("Hi").finished();
    assert.deepEqual([error.code, error.message, calls.length], [String(code), message, 1]);
  }
  const refused = async () => new Response("no", { status: 401 });
  await assert.rejects(a2a.connect("http://localhost/a2a", { fetch: refused }).send("Hi").text(), {
    code: "http-status",
    status: 401,
  });
  // The refusal of both methods: the error of the second one.
  const neither = async (request) =>
    Response.json({
      jsonrpc: "2.0",
      id: JSON.parse(await request.text()).id,
      error: { code: -32601, message: "Method not found" },
    });
  const { error } = await a2a
    .connect("http://localhost/a2a", { fetch: neither })
    .send("Hi")
    .finished();
  assert.equal(error.message, "Method not found");
});

test("a stream is passed on unchanged, at any chunk boundary", async () => {
  const bytes = new TextEncoder().encode(
    `: ok\n\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ artifactId: "a", parts: [{ text: "é".repeat(20_000) }] }] } } })}\n\n`,
  );
  for (const size of [1000, 17, Infinity]) {
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) {
          return controller.close();
        }
        controller.enqueue(bytes.subarray(at, at + size));
        at += size;
      },
    });
    const { snapshot } = await a2a
      .connect("http://localhost/a2a", {
        fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
      })
      .send("Hi")
      .finished();
    assert.equal(textsOf(snapshot)[0], "é".repeat(20_000));
  }
});

test("callModel() calls such an agent for a client of any protocol", async () => {
  const { calls, fetch } = agent("1.0", [["working"], ["completed", "Hello"]]);
  const handler = createHandler({
    agent: async (out, request) =>
      out.forward(
        await callModel({
          protocol: "a2a",
          url: "http://localhost/a2a",
          key: "k",
          request,
          signal: out.signal,
          fetch,
        }),
      ),
  });
  const { snapshot, report } = await read(
    handler(agUi.createRequest("http://localhost/ag-ui", "Hi")),
    { protocol: "ag-ui" },
  ).finished();
  assert.deepEqual(report.violations, []);
  assert.match(JSON.stringify(snapshot.messages), /Hello/);
  assert.deepEqual(
    calls.map(({ method }) => method),
    ["SendStreamingMessage", "SendMessage", "GetTask"],
  );
  assert.deepEqual(calls[1].params, calls[0].params);
  assert.equal(calls[2].headers.authorization, "Bearer k");
});
