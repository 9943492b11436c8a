// The tasks of `createHandler` belong to a caller: to a user, or to whoever has the id of a task or
// the context of a list.
import assert from "node:assert/strict";
import { test } from "node:test";
import { a2aAdapter, createHandler, MemoryTaskStore } from "agentwire/server";
import { memoryStore } from "agentwire/stores";
import { settled } from "../support/sources.mjs";

const SECRET = "alice's private question";
const message = (text, ids = {}) => ({
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text }], ...ids },
});

/** Calls with JSON-RPC of 1.0 as a user; the parsed answer, or the text of a stream. */
const caller = (handler) => async (user, method, params) => {
  const headers = {
    "content-type": "application/json",
    "a2a-version": "1.0",
    ...(user && { "x-user": user }),
  };
  const response = await handler(
    new Request("http://h/a2a", {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    }),
  );
  const text = await response.text();
  return response.headers.get("content-type").startsWith("text/event-stream")
    ? { status: response.status, events: text }
    : { status: response.status, ...JSON.parse(text) };
};
const rest =
  (handler) =>
  async (user, path, method = "GET", version = "1.0") =>
    (
      await handler(
        new Request(`http://h/a2a${path}`, {
          method,
          headers: {
            "a2a-version": version,
            "content-type": "application/json",
            ...(user && { "x-user": user }),
          },
        }),
      )
    ).text();

const authenticate = (request) => request.headers.get("x-user") ?? undefined;
const answering = (out) => out.message().text().delta("the answer");
const asking = (out, { answers }) =>
  answers.some(({ kind }) => kind === "approval")
    ? out.message().text().delta("done")
    : out.interrupt({ reason: "confirmation", text: "Really?", payload: null });

test("without users, tasks are listed by their context only", async () => {
  const handler = createHandler({ agent: answering });
  const call = caller(handler);
  const { result } = await call(undefined, "SendMessage", message(SECRET));
  for (const params of [
    {},
    { pageSize: 100 },
    { contextId: "" },
    { contextId: null },
    { status: "TASK_STATE_COMPLETED" },
    { pageToken: "0" },
  ]) {
    const { error, ...others } = await call(undefined, "ListTasks", params);
    assert.deepEqual([error.code, others.result], [-32602, undefined], JSON.stringify(params));
    assert.match(error.message, /contextId/);
  }
  for (const path of ["/tasks", "/v1/tasks", "/tasks?contextId=", "/tasks?pageSize=3"]) {
    const text = await rest(handler)(undefined, path);
    assert.doesNotMatch(text, /private question|"id":"[0-9a-f-]{36}"/, path);
  }
  const listed = await call(undefined, "ListTasks", { contextId: result.task.contextId });
  assert.deepEqual(
    listed.result.tasks.map(({ id }) => id),
    [result.task.id],
  );
  assert.deepEqual((await call(undefined, "ListTasks", { contextId: "another" })).result.tasks, []);
});

test("a task of another user does not exist: in every call, while it runs, waits, and after its end", async () => {
  let end;
  const running = (out) =>
    new Promise((resolve) => {
      end = resolve;
      out.message().text().delta("the answer");
    });
  for (const [agent, state] of [
    [running, "running"],
    [asking, "waiting"],
    [answering, "ended"],
  ]) {
    const handler = createHandler({ agent, authenticate });
    const call = caller(handler);
    const begun = await call("alice", "SendMessage", {
      ...message(SECRET),
      configuration: { returnImmediately: state === "running" },
    });
    const { id, contextId } = begun.result.task;
    assert.equal("user" in begun.result.task, false);
    const calls = [
      ["GetTask", { id }],
      ["CancelTask", { id }],
      ["SubscribeToTask", { id }],
      ["SendMessage", message("mine", { taskId: id })],
      ["SendStreamingMessage", message("mine", { taskId: id })],
      ["SendMessage", message("mine", { taskId: id, contextId })],
    ];
    for (const [method, params] of calls) {
      const answer = JSON.stringify(await call("bob", method, params));
      const unknown = JSON.stringify(
        await call(
          "bob",
          method,
          JSON.parse(JSON.stringify(params).replaceAll(id, "00000000-0000-4000-8000-000000000000")),
        ),
      );
      assert.match(answer, /-32001/, `${state} ${method}`);
      assert.equal(
        answer.replaceAll(id, "x"),
        unknown.replaceAll("00000000-0000-4000-8000-000000000000", "x"),
        "no difference to a task that does not exist",
      );
    }
    const v03 = {
      "tasks/get": { id },
      "tasks/cancel": { id },
      "tasks/resubscribe": { id },
      "message/send": {
        message: {
          kind: "message",
          messageId: "m",
          role: "user",
          taskId: id,
          parts: [{ kind: "text", text: "x" }],
        },
      },
    };
    for (const [method, params] of Object.entries(v03)) {
      assert.match(
        JSON.stringify(await call("bob", method, params)),
        /-32001/,
        `${state} ${method}`,
      );
    }
    for (const method of [
      "CreateTaskPushNotificationConfig",
      "ListTaskPushNotificationConfigs",
      "tasks/pushNotificationConfig/get",
      "tasks/pushNotificationConfig/list",
    ]) {
      const params = { taskId: id, id };
      assert.doesNotMatch(
        JSON.stringify(await call("bob", method, params)),
        /private question|"result"/,
        method,
      );
    }
    for (const [path, method] of [
      [`/tasks/${id}`, "GET"],
      [`/v1/tasks/${id}`, "GET"],
      [`/tasks/${id}:cancel`, "POST"],
      [`/tasks/${id}:subscribe`, "POST"],
      [`/v1/tasks/${id}:cancel`, "POST"],
    ]) {
      assert.match(await rest(handler)("bob", path, method), /not found/i, path);
    }
    for (const params of [
      {},
      { contextId },
      { status: state === "running" ? "TASK_STATE_WORKING" : begun.result.task.status.state },
    ]) {
      const { result } = await call("bob", "ListTasks", params);
      assert.deepEqual(
        [result.tasks, result.totalSize, result.nextPageToken],
        [[], 0, ""],
        JSON.stringify(params),
      );
    }
    // A message in the context of another user starts a task that the other does not have.
    const inContext = caller(createHandler({ agent: answering, authenticate }));
    const alice = await inContext("alice", "SendMessage", message(SECRET));
    const bob = await inContext(
      "bob",
      "SendMessage",
      message("mine", { contextId: alice.result.task.contextId }),
    );
    assert.notEqual(bob.result.task.id, alice.result.task.id);
    assert.doesNotMatch(
      JSON.stringify([
        bob,
        await inContext("bob", "ListTasks", { contextId: alice.result.task.contextId }),
      ]),
      /private question/,
    );
    assert.equal(
      (await inContext("alice", "ListTasks", { contextId: alice.result.task.contextId })).result
        .totalSize,
      1,
    );
    // Nothing has happened to the task of its user.
    const own = await call("alice", "GetTask", { id });
    const states = { running: /SUBMITTED|WORKING/, waiting: /INPUT_REQUIRED/, ended: /COMPLETED/ };
    assert.match(own.result.status.state, states[state]);
    assert.deepEqual(
      (await call("alice", "ListTasks", {})).result.tasks.map((task) => [task.id, "user" in task]),
      [[id, false]],
    );
    if (state === "running") {
      assert.equal(
        (await call("alice", "CancelTask", { id })).result.status.state,
        "TASK_STATE_CANCELED",
      );
      end();
    }
    if (state === "waiting") {
      assert.equal(
        (await call("alice", "SendMessage", message("yes", { taskId: id }))).result.task.status
          .state,
        "TASK_STATE_COMPLETED",
      );
    }
  }
});

test("with users, every protocol requires one; the agent card and preflight requests do not", async () => {
  const errors = [];
  let users = [];
  const agent = (out, _, { user }) => {
    users.push(user);
    return out.message().text().delta("x");
  };
  const handler = createHandler({
    agent,
    authenticate,
    cors: true,
    onError: (error) => void errors.push(error),
  });
  const posts = {
    "/process": { input: [{ role: "user", content: [{ type: "text", text: "x" }] }] },
    "/ag-ui": {
      threadId: "t",
      runId: "r",
      messages: [{ id: "m", role: "user", content: "x" }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
    "/v1/responses": { model: "m", input: "x" },
    "/api/chat": {
      id: "c",
      messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "x" }] }],
    },
    "/a2a": { jsonrpc: "2.0", id: 1, method: "SendMessage", params: message("x") },
    "/a2a/message:send": message("x"),
  };
  const post = (path, body, headers = {}) =>
    handler(
      new Request(`http://h${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
        body: JSON.stringify(body),
      }),
    );
  for (const [path, body] of Object.entries(posts)) {
    const refused = await post(path, body);
    assert.deepEqual(
      [refused.status, refused.headers.get("www-authenticate")],
      [401, "Bearer"],
      path,
    );
    assert.ok(refused.headers.get("x-request-id"));
    const answered = await post(path, body, { "x-user": "alice" });
    assert.equal(answered.status, 200, `${path}: ${await answered.text()}`);
  }
  await settled();
  assert.deepEqual([...new Set(users)], ["alice"]);
  for (const [path, method] of [
    ["/a2a/tasks", "GET"],
    ["/v1/models", "GET"],
    ["/v1/responses/resp_1", "GET"],
    ["/api/chat/c/stream", "GET"],
  ]) {
    assert.equal((await handler(new Request(`http://h${path}`, { method }))).status, 401, path);
  }
  assert.equal((await handler(new Request("http://h/.well-known/agent-card.json"))).status, 200);
  assert.equal(
    (await handler(new Request("http://h/a2a/.well-known/agent-card.json"))).status,
    200,
  );
  assert.equal((await handler(new Request("http://h/a2a", { method: "OPTIONS" }))).status, 204);
  assert.equal(
    (
      await handler(
        new Request("http://h/ag-ui", {
          method: "OPTIONS",
          headers: { origin: "https://a.example", "access-control-request-method": "POST" },
        }),
      )
    ).status,
    204,
  );
  assert.deepEqual(errors, []);
});

test("`authenticate` fails closed", async () => {
  const errors = [];
  const body = JSON.stringify({
    input: [{ role: "user", content: [{ type: "text", text: "x" }] }],
  });
  const ask = (authenticate) =>
    createHandler({
      agent: assert.fail,
      authenticate,
      onError: (error) => void errors.push(error.message),
    })(
      new Request("http://h/process", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      }),
    );
  for (const none of [undefined, null, "", false, Promise.resolve(undefined)]) {
    assert.equal((await ask(() => none)).status, 401, String(none));
  }
  for (const wrong of [5, true, {}, ["alice"]]) {
    assert.equal((await ask(() => wrong)).status, 500, String(wrong));
  }
  const response = await ask(() => Promise.reject(new Error("the database is down")));
  assert.deepEqual([response.status, /database/.test(await response.text())], [500, false]);
  assert.deepEqual(errors.slice(-1), ["the database is down"]);
  assert.throws(() => createHandler({ agent: () => {}, authenticate: "alice" }), {
    code: "wrong-option",
  });
});

test("names of users are compared as they are", async () => {
  const names = [
    "alice",
    "Alice",
    "alice ",
    "ali",
    "alice\u0000x",
    "\ud800",
    "\ud801",
    "__proto__",
    "constructor",
    "a".repeat(10_000),
    "é",
    "e\u0301",
  ];
  let user = "";
  const handler = createHandler({ agent: answering, authenticate: () => user });
  const call = caller(handler);
  const ids = [];
  for (user of names)
    ids.push((await call(undefined, "SendMessage", message(SECRET))).result.task.id);
  for (const [at, name] of names.entries()) {
    user = name;
    assert.deepEqual(
      (await call(undefined, "ListTasks", {})).result.tasks.map(({ id }) => id),
      [ids[at]],
      JSON.stringify(name),
    );
    for (const id of ids)
      assert.equal("result" in (await call(undefined, "GetTask", { id })), id === ids[at]);
  }
});

test("a store of an application keeps the user, and cannot return the tasks of another", async () => {
  const errors = [];
  const kept = new Map();
  const careless = {
    load: (id) => kept.get(id),
    save: (task) => void kept.set(task.id, JSON.parse(JSON.stringify(task))),
    list: () => ({ tasks: [...kept.values()], nextPageToken: "", totalSize: kept.size }),
  };
  const call = caller(
    createHandler({
      adapters: [a2aAdapter({ tasks: careless })],
      agent: answering,
      authenticate,
      onError: (error) => void errors.push(error.message),
    }),
  );
  const { id } = (await call("alice", "SendMessage", message(SECRET))).result.task;
  assert.equal(kept.get(id).user, "alice");
  assert.equal((await call("bob", "GetTask", { id })).error.code, -32001);
  assert.equal((await call("alice", "ListTasks", {})).result.tasks[0].id, id);
  const listed = await call("bob", "ListTasks", {});
  assert.equal(listed.error.code, -32603);
  assert.doesNotMatch(JSON.stringify(listed), /private question/);
  assert.match(errors[0], /only the tasks of the `user`/);
  // A server without users does not have tasks of users.
  const open = caller(
    createHandler({
      adapters: [a2aAdapter({ tasks: careless })],
      agent: answering,
      onError: () => {},
    }),
  );
  assert.equal((await open(undefined, "GetTask", { id })).error.code, -32001);
});

test("with a store, its user is that of the agent, and is identified once", async () => {
  const users = [];
  let identified = 0;
  const handler = createHandler({
    store: memoryStore(),
    agent: (out, _, { user }) => {
      users.push(user);
      return out.message().text().delta("x");
    },
    authenticate: () => {
      identified++;
      return "alice";
    },
  });
  const post = (path, body, headers) =>
    handler(
      new Request(`http://h${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
        body: JSON.stringify(body),
      }),
    );
  assert.equal(
    (
      await (
        await post("/a2a", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: message("x") })
      ).json()
    ).result.task.status.state,
    "TASK_STATE_COMPLETED",
  );
  assert.equal((await post("/v1/responses", { model: "m", input: "x" })).status, 200);
  assert.equal((await post("/v1/responses", { model: "m", input: "x", store: false })).status, 200);
  assert.deepEqual([users, identified], [Array(3).fill("alice"), 3]);
  await handler.close();
});
