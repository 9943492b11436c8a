// Conversations of clients that send only their new messages: what the agent receives, what is
// stored, and by whom it can be read.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handlerStore, memoryStore } from "agentwire/stores";
import { createHandler, defineAdapter } from "agentwire/server";
import { openHistory } from "../../support/history.mjs";
import { language, onlyTypeScript } from "../../support/services.mjs";
import { until } from "../../support/until.mjs";

const id = () => crypto.randomUUID();

describe(`conversations: ${language}`, { concurrency: true }, () => {
  test("a turn is the same in the Agent API, AG-Kit and A2A", async () => {
    const { handler, ask, said, received } = openHistory();
    const name = id();
    await said(name, "one");
    const agKit = { conversationId: name, messages: [{ role: "user", content: "two" }] };
    await (await ask("/send-message", agKit)).text();
    const message = {
      messageId: "m",
      role: "ROLE_USER",
      parts: [{ text: "three" }],
      contextId: name,
    };
    const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
    await (await ask("/a2a", call)).text();
    assert.deepEqual(await said(name, "four"), [
      "user: one",
      "assistant: answer to one",
      "user: two",
      "assistant: answer to two",
      "user: three",
      "assistant: answer to three",
      "user: four",
    ]);
    assert.equal((await received()).length, 4);
    await handler.close();
  });

  test("belong to their user", async () => {
    const { handler, said } = openHistory({ users: true });
    const as = (user) => ({ "x-user": user });
    await said("s", "one", {}, as("ann"));
    assert.deepEqual(await said("s", "two", {}, as("eve")), ["user: two"]);
    assert.equal((await said("s", "three", {}, as("ann"))).length, 3);
    await handler.close();
  });

  test("without a user, an id that can be guessed has no history", async () => {
    const { handler, said } = openHistory();
    await said("123456789012345", "one");
    assert.deepEqual(await said("123456789012345", "two"), ["user: two"]);
    await said("1234567890123456", "one");
    assert.equal((await said("1234567890123456", "two")).length, 3);
    await handler.close();
  });

  test("results of tools follow their calls, and instructions are those of the request", async () => {
    const { handler, ask, said, latest } = openHistory();
    const name = id();
    await said(name, "call");
    const data = { call_id: "c1", output: "painted" };
    const result = {
      role: "tool",
      type: "function_call_output",
      content: [{ type: "data", data }],
    };
    const system = { role: "system", content: [{ type: "text", text: "be short" }] };
    await (await ask("/process", { session_id: name, input: [system, result] })).text();
    assert.deepEqual(await latest(), [
      "system: be short",
      "user: call",
      "assistant: answer to call",
      "assistant: paint",
      "tool: painted",
    ]);
    assert.equal((await said(name, "next")).includes("system: be short"), false);
    await handler.close();
  });

  test("answers that failed or were cut off are kept with what was there", async () => {
    const { handler, say, said, received } = openHistory();
    const name = id();
    await said(name, "fail");
    const response = await say(name, "wait");
    const reader = response.body.getReader();
    await until(async () => (await received()).length === 2);
    await reader.read();
    await reader.cancel();
    assert.deepEqual(await said(name, "next"), [
      "user: fail",
      "assistant: answer to fail",
      "user: wait",
      "assistant: answer to wait",
      "user: next",
    ]);
    await handler.close();
  });

  test("a request that is refused is no turn, and has its status", async () => {
    const { handler, ask, say, said } = openHistory();
    const name = id();
    await said(name, "one");
    assert.equal((await say(name, "refuse")).status, 429);
    await (await ask("/process", { session_id: name, input: 5 })).text();
    assert.deepEqual(await said(name, "two"), [
      "user: one",
      "assistant: answer to one",
      "user: two",
    ]);
    await handler.close();
  });

  test("a repeated message is stored once", async () => {
    const { handler, said } = openHistory();
    const name = id();
    const repeated = { id: "m1" };
    await said(name, "one", repeated);
    assert.deepEqual(await said(name, "one", repeated), ["user: one"]);
    assert.deepEqual(await said(name, "two", { id: "m2" }), [
      "user: one",
      "assistant: answer to one",
      "user: two",
    ]);
    // The same text without an id is a new message, unless its answer has failed.
    await said(name, "three");
    assert.equal((await said(name, "three")).filter((text) => text === "user: three").length, 2);
    await said(name, "fail");
    assert.equal((await said(name, "fail")).filter((text) => text === "user: fail").length, 1);
    await handler.close();
  });

  test("a message that is sent again with the next one is stored once, with its answer", async () => {
    const { handler, ask, said, latest } = openHistory();
    const name = id();
    await said(name, "fail", { id: "m1" });
    const message = (own, text) => ({
      id: own,
      role: "user",
      content: [{ type: "text", text }],
    });
    const input = [message("m1", "fail"), message("m2", "go on")];
    await (await ask("/process", { session_id: name, input })).text();
    assert.deepEqual(await latest(), ["user: fail", "assistant: answer to fail", "user: go on"]);
    await handler.close();
  });

  test("a repeated idempotency key has the answer of the first request", async () => {
    const { handler, say, said, received } = openHistory();
    const name = id();
    const key = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [
      await (await say(name, "one", {}, key)).text(),
      await (await say(name, "one", {}, key)).text(),
    ];
    assert.equal(again, first);
    assert.equal((await received()).length, 1);
    assert.equal((await say(name, "other", {}, key)).status, 422);
    assert.equal((await said(name, "two")).length, 3);
    await handler.close();
  });

  test("a client that sends its history is not given it twice, and replaces it", async () => {
    const { handler, ask, said, latest } = openHistory();
    const name = id();
    await said(name, "forgotten");
    const message = (role, text) => ({ role, content: [{ type: "text", text }] });
    const input = [message("user", "one"), message("assistant", "1"), message("user", "two")];
    await (await ask("/process", { session_id: name, input })).text();
    assert.deepEqual(await latest(), ["user: one", "assistant: 1", "user: two"]);
    assert.deepEqual(await said(name, "three"), [
      "user: one",
      "assistant: 1",
      "user: two",
      "assistant: answer to two",
      "user: three",
    ]);
    for (const [path, body] of [
      [
        "/ag-ui",
        { threadId: name, runId: "r", messages: [{ id: "u", role: "user", content: "x" }] },
      ],
      ["/v1/responses", { model: "m", input: "x", store: false }],
      ["/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "x" }] }],
      [
        "/api/chat",
        { id: name, messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "x" }] }] },
      ],
    ]) {
      await (await ask(path, body)).text();
      assert.deepEqual(await latest(), ["user: x"], path);
    }
    await handler.close();
  });

  test("the history is bounded, and begins with a message of the user", async () => {
    const { handler, said } = openHistory();
    const name = id();
    const long = "x".repeat(1_200_000);
    for (const at of [1, 2, 3]) await said(name, `${at} ${long}`);
    const last = await said(name, "last");
    assert.deepEqual(
      last.map((text) => text.slice(0, 20)),
      ["user: 3 xxxxxxxxxxxx", "assistant: answer to", "user: last"],
    );
    await handler.close();
  });

  test("without a user are deleted at the end of their life; with a user only their logs are", async () => {
    for (const users of [false, true]) {
      const store = memoryStore();
      const retention = { answerMs: 20, taskMs: 40 };
      const { handler, say, said } = openHistory({ store, users, retention });
      const name = id();
      const headers = { "x-user": "ann" };
      const response = await say(name, "one", {}, { ...headers, prefer: "resumable" });
      const where = response.headers.get("content-location");
      await response.text();
      await until(async () => {
        const read = await handler(new Request(`http://h${where}`, { headers }));
        await read.body?.cancel();
        return read.status === 404;
      });
      assert.equal((await said(name, "two", {}, headers)).length, users ? 3 : 1);
      await handler.close();
    }
  });

  test("the id of a request is that of its agent", async () => {
    const { handler, say } = openHistory();
    for (const headers of [{}, { prefer: "resumable" }]) {
      const response = await say(id(), "id", {}, headers);
      const own = response.headers.get("x-request-id");
      assert.ok((await response.text()).includes(`id ${own}`));
    }
    await handler.close();
  });

  test("losses of a request are in the header of a stored answer, too", async () => {
    const { handler, ask } = openHistory();
    const plain = createHandler({ agent: (out) => out.message().text().delta("x") });
    const body = { model: "m", input: "x", prompt: { id: "p" }, stream: true };
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const expected = (await plain(new Request("http://h/v1/responses", request))).headers.get(
      "agentwire-losses",
    );
    assert.match(expected, /;n=1;class=/);
    for (const more of [{}, { prefer: "resumable" }, { accept: "*/*" }]) {
      const response = await ask("/v1/responses", body, more);
      assert.equal(response.headers.get("agentwire-losses"), expected);
      assert.doesNotMatch(await response.text(), /agentwire-losses/);
    }
    const whole = await ask("/v1/responses", { ...body, stream: false });
    assert.equal(whole.headers.get("agentwire-losses"), expected);
    await handler.close();
  });

  test("a custom adapter names its conversation", onlyTypeScript, async () => {
    const adapter = defineAdapter({
      path: "/own",
      protocol: "agent-api",
      conversation: (body) => JSON.parse(body).room,
      convertRequest: (body) => ({
        input: [{ role: "user", content: [{ type: "text", text: JSON.parse(body).ask }] }],
      }),
    });
    const { handler, ask, latest } = openHistory({ adapters: [adapter] });
    const room = id();
    await (await ask("/own", { room, ask: "one" })).text();
    await (await ask("/own", { room, ask: "two" })).text();
    assert.equal((await latest()).length, 3);
    await handler.close();
  });

  test("`Prefer: resumable`: the agent continues without its client, and the turn is read at its address", async () => {
    const { handler, say, said, release } = openHistory();
    const name = id();
    const response = await say(name, "wait", {}, { prefer: "resumable" });
    const where = response.headers.get("content-location");
    await response.body.cancel();
    await release("wait");
    const read = await handler(new Request(`http://h${where}`));
    assert.match(await read.text(), /answer to wait/);
    await said(name, "next");
    // A later turn has an address of its own.
    const again = await (await handler(new Request(`http://h${where}`))).text();
    assert.match(again, /answer to wait/);
    assert.doesNotMatch(again, /answer to next/);
    await handler.close();
  });

  test("a process that ends in a turn keeps it for the next one", async () => {
    const store = memoryStore();
    const one = openHistory({ store });
    const name = id();
    for (const path of ["/process", "/send-message"]) {
      const body =
        path === "/process"
          ? {
              session_id: name,
              input: [{ role: "user", content: [{ type: "text", text: "wait" }] }],
            }
          : { conversationId: name, messages: [{ role: "user", content: "wait" }] };
      const first = path === "/process" ? one : openHistory({ store });
      const response = await first.ask(path, body);
      await response.body.getReader().read();
      await until(async () => (await first.received()).length === 1);
      await first.handler.close();
      const second = openHistory({ store });
      await until(async () => (await second.say(name, `after ${path}`)).status === 200);
      await until(async () => (await second.received()).length === 1);
      const received = await second.latest();
      assert.deepEqual(received.slice(-3), [
        "user: wait",
        "assistant: answer to wait",
        `user: after ${path}`,
      ]);
      await second.handler.close();
    }
  });
});

describe(`a message while an answer is being written: ${language}`, { concurrency: true }, () => {
  const started = async (options) => {
    const site = openHistory(options);
    const name = id();
    const first = site.say(name, "wait");
    await until(async () => (await site.waiting()).includes("wait"));
    return { ...site, name, first: (await first).text() };
  };

  test("is refused with 409 by default, in the form of its protocol", async () => {
    const { handler, ask, say, said, name, first, release } = await started();
    const refused = await say(name, "two");
    assert.deepEqual(
      [refused.status, (await refused.json()).code],
      [409, "AGENT_SESSION_RUN_LIMIT_EXCEEDED"],
    );
    const agKit = { conversationId: name, messages: [{ role: "user", content: "two" }] };
    assert.equal((await ask("/send-message", agKit)).status, 409);
    await release("wait");
    await first;
    assert.equal((await said(name, "three")).length, 3);
    await handler.close();
  });

  test("waits for its end: `enqueue`", async () => {
    const { handler, say, name, first, release, latest } = await started({
      whileRunning: "enqueue",
    });
    const second = say(name, "two");
    await release("wait");
    await first;
    await (await second).text();
    assert.deepEqual(await latest(), ["user: wait", "assistant: answer to wait", "user: two"]);
    await handler.close();
  });

  test("stops it: `interrupt`", async () => {
    const { handler, said, name, first } = await started({ whileRunning: "interrupt" });
    assert.deepEqual(await said(name, "two"), [
      "user: wait",
      "assistant: answer to wait",
      "user: two",
    ]);
    assert.match(await first, /canceled/);
    await handler.close();
  });
});

test("a store of one's own keeps conversations, too", onlyTypeScript, async () => {
  const memory = memoryStore();
  const own = Object.fromEntries(
    ["append", "read", "list", "delete"].map((name) => [
      name,
      (...values) => memory[name](...values),
    ]),
  );
  const { handler, said } = openHistory({ store: handlerStore(own) });
  const name = id();
  await said(name, "one");
  assert.equal((await said(name, "two")).length, 3);
  await handler.close();
});
