// What a server of A2A keeps for its clients is bounded in bytes: tasks, running agents, followers,
// answers that are not read.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { a2aAdapter, createHandler, MemoryTaskStore } from "agentwire/server";
import { settled } from "../support/sources.mjs";
import { until } from "../../support/until.mjs";

const message = (parts, ids = {}) => ({
  message: { messageId: "m", role: "ROLE_USER", parts, ...ids },
});
const text = (length) => [{ text: "x".repeat(length) }];
const post = (handler, method, params, { user, id = 1, version = "1.0", signal } = {}) =>
  handler(
    new Request("http://h/a2a", {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        "a2a-version": version,
        ...(user && { "x-user": user }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    }),
  );
const call = async (...given) => (await post(...given)).json();
const authenticate = (request) => request.headers.get("x-user") ?? undefined;
const later = { configuration: { returnImmediately: true } };
/** Ends the agents that hang. */
const ends = [];
after(() => ends.forEach((end) => end()));
/** An agent that ends after the tests. */
const hanging = (out) => {
  out.message().text().delta("x");
  return new Promise((resolve) => ends.push(resolve));
};

const task = (id, bytes, user) => ({
  id,
  contextId: "c",
  status: { state: "TASK_STATE_COMPLETED" },
  metadata: { text: "x".repeat(bytes) },
  ...(user && { user }),
});

test("MemoryTaskStore keeps the last saved tasks, up to a number and a number of bytes", () => {
  const few = new MemoryTaskStore({ maxTasks: 3 });
  for (const id of ["1", "2", "3", "1", "4"]) few.save(task(id, 1));
  assert.deepEqual(
    ["1", "2", "3", "4"].filter((id) => few.load(id)),
    ["1", "3", "4"],
  );
  const small = new MemoryTaskStore({ maxBytes: 3500 });
  for (const id of ["1", "2", "3", "2", "4"]) small.save(task(id, 1000));
  assert.deepEqual(
    ["1", "2", "3", "4"].filter((id) => small.load(id)),
    ["2", "3", "4"].filter((id) => id !== "3" || small.load("3")),
  );
  assert.equal(small.load("1"), undefined);
  // A task that is larger than all is not kept, and does not break what is counted.
  small.save(task("5", 10_000));
  assert.equal(small.load("5"), undefined);
  for (let id = 10; id < 1000; id++) small.save(task(String(id), 500));
  assert.equal(small.list({ contextId: "c", pageSize: 100 }).totalSize, 5);
  // Bytes, not characters.
  const wide = new MemoryTaskStore({ maxBytes: 1000 });
  wide.save({ ...task("1", 0), metadata: { text: "你".repeat(400) } });
  assert.equal(wide.load("1"), undefined);
  // A task is not changed by what happens to its object later.
  const one = task("1", 1);
  few.save(one);
  one.status.state = "TASK_STATE_FAILED";
  few.load("1").status.state = "TASK_STATE_CANCELED";
  assert.equal(few.load("1").status.state, "TASK_STATE_COMPLETED");
  for (const wrong of [{ maxTasks: 0 }, { maxBytes: -1 }, { maxBytes: "1" }, { most: 3 }]) {
    assert.throws(() => new MemoryTaskStore(wrong), { code: "wrong-option" });
  }
});

test("a user who fills the store loses his own tasks, not those of others", () => {
  for (const options of [{ maxTasks: 10 }, { maxBytes: 10_000 }]) {
    const store = new MemoryTaskStore(options);
    store.save(task("alice", 500, "alice"));
    store.save(task("carol", 500, "carol"));
    for (let id = 0; id < 1000; id++) store.save(task(String(id), 500, "mallory"));
    assert.ok(store.load("alice") && store.load("carol"), JSON.stringify(options));
    assert.ok(store.list({ user: "mallory" }).totalSize >= 5);
    assert.equal(store.list({ user: "alice" }).totalSize, 1);
  }
});

test("a page of tasks is bounded in bytes, and the pages together have all tasks", async () => {
  const handler = createHandler({ agent: (out) => out.message().text().delta("x") });
  const ids = [];
  for (let number = 0; number < 7; number++)
    ids.unshift(
      (await call(handler, "SendMessage", message(text(1_500_000), { contextId: "c" }))).result.task
        .id,
    );
  const listed = [];
  let pages = 0;
  for (let pageToken; pageToken !== ""; pages++) {
    const response = await (await post(handler, "ListTasks", { contextId: "c", pageToken })).text();
    assert.ok(response.length < 5 * 1024 * 1024, `${response.length} bytes`);
    const { result } = JSON.parse(response);
    assert.deepEqual([result.totalSize, result.pageSize], [7, 50]);
    listed.push(...result.tasks.map(({ id }) => id));
    pageToken = result.nextPageToken;
  }
  assert.deepEqual([listed, pages > 2], [ids, true]);
});

test("running tasks are limited in number and in memory, and the client can repeat its message later", async () => {
  let stop;
  const agent = (out) => {
    out.message().text().delta("x");
    return new Promise((resolve) => {
      ends.push(resolve);
      stop = resolve;
    });
  };
  const handler = createHandler({ adapters: [a2aAdapter({ limits: { runningTasks: 2 } })], agent });
  const one = await call(handler, "SendMessage", { ...message(text(1)), ...later });
  await call(handler, "SendMessage", { ...message(text(1)), ...later });
  const end = stop;
  for (const method of ["SendMessage", "SendStreamingMessage"]) {
    const refused = await post(handler, method, message(text(1)), { id: "q" });
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "10"]);
    const { id, error } = await refused.json();
    assert.deepEqual([id, error.code], ["q", -32000]);
    assert.match(error.message, /running/);
  }
  end();
  await settled();
  assert.equal((await post(handler, "SendMessage", { ...message(text(1)), ...later })).status, 200);
  await call(handler, "CancelTask", { id: one.result.task.id });

  const small = createHandler({
    adapters: [a2aAdapter({ limits: { runningBytes: 1_000_000 } })],
    agent: hanging,
  });
  // A message above the limit is taken if nothing else runs.
  assert.equal(
    (await post(small, "SendMessage", { ...message(text(2_000_000)), ...later })).status,
    200,
  );
  assert.equal((await post(small, "SendMessage", { ...message(text(1)), ...later })).status, 429);
  for (const wrong of [
    { runningTasks: 0 },
    { followers: "x" },
    { unreadBytes: NaN },
    { follower: 1 },
    5,
  ]) {
    assert.throws(() => a2aAdapter({ limits: wrong }), /option/);
  }
});

test("a user cannot take the place of all others", async () => {
  const handler = createHandler({
    adapters: [a2aAdapter({ limits: { runningTasks: 8 } })],
    agent: hanging,
    authenticate,
  });
  const statuses = [];
  for (let number = 0; number < 4; number++)
    statuses.push(
      (await post(handler, "SendMessage", { ...message(text(1)), ...later }, { user: "mallory" }))
        .status,
    );
  assert.deepEqual(statuses, [200, 200, 429, 429]);
  assert.equal(
    (await post(handler, "SendMessage", { ...message(text(1)), ...later }, { user: "alice" }))
      .status,
    200,
  );
});

test("followers are limited per task, and the place of one that leaves is free", async () => {
  const handler = createHandler({
    adapters: [a2aAdapter({ limits: { followers: 2 } })],
    agent: hanging,
  });
  const { id } = (await call(handler, "SendMessage", { ...message(text(10)), ...later })).result
    .task;
  const follow = (version) =>
    post(handler, version === "0.3" ? "tasks/resubscribe" : "SubscribeToTask", { id }, { version });
  const [first] = [await follow("1.0"), await follow("0.3")];
  const refused = await follow("1.0");
  assert.deepEqual([refused.status, (await refused.json()).error.code], [429, -32000]);
  await first.body.cancel();
  await until(async () => (await follow("1.0")).status === 200);
  // Another task has followers of its own.
  const other = (await call(handler, "SendMessage", { ...message(text(10)), ...later })).result
    .task;
  assert.equal((await post(handler, "SubscribeToTask", { id: other.id })).status, 200);
});

test("followers share a large task, whatever the ids of their requests, and receive the same", async () => {
  let write;
  const agent = async (out) => {
    const part = out.message().text();
    await part.delta("begun");
    await new Promise((resolve) => (write = resolve));
    await part.delta("y".repeat(200_000));
  };
  const handler = createHandler({ agent });
  const { id } = (await call(handler, "SendMessage", { ...message(text(2_000_000)), ...later }))
    .result.task;
  const ids = ["a", 7, '"</script>\u2028', null];
  const versions = ["1.0", "0.3"];
  const streams = [];
  for (const version of versions) {
    for (const own of ids)
      streams.push(
        await post(
          handler,
          version === "1.0" ? "SubscribeToTask" : "tasks/resubscribe",
          { id },
          { version, id: own },
        ),
      );
  }
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 0; number < 60; number++)
    streams.push(await post(handler, "SubscribeToTask", { id }, { id: number }));
  const held = process.memoryUsage().arrayBuffers - before;
  assert.ok(held < 30_000_000, `60 followers of a task of 2 MB hold ${held} bytes`);
  write();
  const texts = await Promise.all(streams.map((stream) => stream.text()));
  texts.forEach((body, number) => {
    const frames = body
      .split("\n\n")
      .filter(Boolean)
      .map((frame) => JSON.parse(frame.replace(/^data: /, "")));
    const own = number < 8 ? ids[number % 4] : number - 8;
    assert.ok(
      frames.length >= 3 && frames.every((frame) => frame.id === own && frame.jsonrpc === "2.0"),
      JSON.stringify(own),
    );
    const all = JSON.stringify(frames);
    assert.ok(all.includes("x".repeat(2_000_000)) && all.includes("y".repeat(200_000)));
  });
});

test("large answers that nobody reads are limited in bytes, equal ones are shared, and small ones are always answered", async () => {
  const handler = createHandler({
    adapters: [a2aAdapter({ limits: { unreadBytes: 5_000_000 } })],
    agent: (out) => out.message().text().delta("x"),
  });
  const tasks = [];
  for (let number = 0; number < 3; number++)
    tasks.push((await call(handler, "SendMessage", message(text(2_000_000)))).result.task.id);
  const unread = [];
  // Answers to the same task share their bytes.
  for (let number = 0; number < 50; number++)
    unread.push(await post(handler, "GetTask", { id: tasks[0] }, { id: number }));
  unread.push(await post(handler, "GetTask", { id: tasks[1] }));
  assert.deepEqual(
    unread.filter(({ status }) => status !== 200),
    [],
  );
  const refused = await post(handler, "GetTask", { id: tasks[2] });
  assert.deepEqual([refused.status, (await refused.json()).error.code], [429, -32000]);
  assert.equal(
    (await call(handler, "GetTask", { id: tasks[2], historyLength: 0 })).result.id,
    tasks[2],
  );
  // The result of a message is sent without its history rather than refused: the agent has done its
  // work.
  const late = (await call(handler, "SendMessage", message(text(2_000_000)))).result.task;
  assert.deepEqual(
    [late.status.state, late.artifacts[0].parts[0].text, late.history],
    ["TASK_STATE_COMPLETED", "x", undefined],
  );
  // What was read, or whose client has left, has room for others.
  await Promise.all(
    unread
      .slice(0, 25)
      .map(async (response, number) => assert.equal(JSON.parse(await response.text()).id, number)),
  );
  await Promise.all(unread.slice(25).map((response) => response.body.cancel()));
  assert.equal((await call(handler, "GetTask", { id: tasks[2] })).result.id, tasks[2]);
});

test("a follower that does not read receives no more than it can hold, and the others receive everything", async () => {
  const agent = async (out) => {
    const part = out.message().text();
    await part.delta("begun");
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let number = 0; number < 120; number++) {
      await part.delta("z".repeat(100_000));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const handler = createHandler({ agent });
  const { id } = (await call(handler, "SendMessage", { ...message(text(1)), ...later })).result
    .task;
  const slow = await post(handler, "SubscribeToTask", { id });
  const fast = await (await post(handler, "SubscribeToTask", { id })).text();
  assert.equal(fast.split("z".repeat(100_000)).length - 1, 120);
  const read = await slow.text();
  assert.ok(read.length < 6_000_000, `${read.length} bytes`);
  assert.equal(JSON.parse(read.split("\n\n")[0].slice(6)).result.task.id, id);
});

test("a process with 400 MB of heap survives a flood of hostile messages, answered and running", () => {
  const flood = new URL("./flood.mjs", import.meta.url).pathname;
  for (const kind of ["answered", "running"]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--max-old-space-size=400", flood, kind],
      { encoding: "utf8", timeout: 300_000 },
    );
    assert.deepEqual(
      [status, stdout.trim().split("\n").at(-1)],
      [0, "survived"],
      `${kind}: ${stdout} ${stderr.slice(-500)}`,
    );
  }
});

test("nothing stays after the tasks have ended", async () => {
  const handler = createHandler({
    adapters: [a2aAdapter({ limits: { runningTasks: 1, followers: 1, unreadBytes: 100_000 } })],
    agent: (out) => out.message().text().delta("x".repeat(90_000)),
  });
  for (let number = 0; number < 20; number++) {
    const controller = new AbortController();
    const response = await post(handler, "SendStreamingMessage", message(text(1)), {
      signal: controller.signal,
    });
    assert.equal(response.status, 200);
    const reader = response.body.getReader();
    const { value } = await reader.read();
    const { id } = JSON.parse(new TextDecoder().decode(value).split("\n\n")[0].slice(6)).result
      .task;
    const following = await post(handler, "SubscribeToTask", { id });
    await reader.cancel();
    controller.abort();
    assert.ok([200, 429].includes(following.status));
    await following.text();
    await until(
      async () =>
        (await call(handler, "GetTask", { id, historyLength: 0 })).result?.status.state ===
        "TASK_STATE_COMPLETED",
    );
  }
});

test("the id of a call is repeated as it is, also if a number does not hold it", async () => {
  const handler = createHandler({
    adapters: [a2aAdapter({ limits: { followers: 1 } })],
    agent: (out) => out.message().text().delta("x".repeat(100_000)),
  });
  const ids = ["12345678901234567890", '"a\\"b"', "null", "0"];
  const ask = async (method, params, id, version = "1.0") =>
    (
      await handler(
        new Request("http://h/a2a", {
          method: "POST",
          headers: { "content-type": "application/json", "a2a-version": version },
          body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(params)}}`,
        }),
      )
    ).text();
  const { id: task } = JSON.parse(await ask("SendMessage", message(text(1)), 1)).result.task;
  for (const id of ids) {
    const answers = [
      await ask("SendMessage", message(text(100_000)), id),
      await ask("SendStreamingMessage", message(text(1)), id),
      await ask("GetTask", { id: task }, id),
      await ask("GetTask", { id: "none" }, id),
      await ask("ListTasks", { contextId: "none" }, id),
      await ask("ListTasks", {}, id),
      await ask("tasks/get", { id: task }, id, "0.3"),
    ];
    answers.forEach((answer) =>
      assert.ok(answer.includes(`"id":${id},`), `${id}: ${answer.slice(0, 200)}`),
    );
  }
});
