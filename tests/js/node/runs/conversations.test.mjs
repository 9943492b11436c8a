// Conversations of clients that send only their new messages: what the agent receives, what is
// stored, and by whom it can be read.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handlerStore, memoryStore } from "agentwire/stores";
import { ThreadLog } from "agentwire/runs/server";
import { AgentError, createHandler, defineAdapter } from "agentwire/server";
import { until } from "../../support/until.mjs";

const textsOf = ({ content = [] }) =>
  content.map(({ text, data }) => text ?? data?.output ?? data?.name).join("");

/** A handler whose agent repeats the messages that it has received, and what `received` has of it. */
function opened(options) {
  const received = [];
  const gates = new Map();
  const handler = createHandler({
    store: memoryStore(),
    onError() {},
    async agent(out, request) {
      received.push(
        request.toJSON().input.map((message) => `${message.role}: ${textsOf(message)}`),
      );
      const asked = request.text;
      if (asked === "refuse") throw new AgentError("BUSY", "no", { status: 429 });
      const text = out.message().text();
      await text.delta(`answer to ${asked}`);
      if (asked === "fail") throw new Error("a secret");
      if (asked === "call") await out.tool("paint", { callId: "c1" }).arguments("{}");
      if (asked.startsWith("wait")) {
        await new Promise((go) => {
          gates.set(asked, go);
          out.signal.addEventListener("abort", go);
        });
      }
    },
    ...options,
  });
  const ask = async (path, body, headers = {}) => {
    const response = await handler(
      new Request(`http://h${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
        body: JSON.stringify(body),
      }),
    );
    return response;
  };
  const say = async (id, text, more, headers) => {
    const message = { role: "user", content: [{ type: "text", text }], ...more };
    return ask("/process", { session_id: id, input: [message] }, headers);
  };
  /** Says something, and returns the messages that the agent has received. */
  const said = async (...message) => {
    await (await say(...message)).text();
    return received.at(-1);
  };
  return { handler, ask, say, said, received, gates };
}

const id = () => crypto.randomUUID();

describe("conversations", { concurrency: true }, () => {
  test("a turn is the same in the Agent API, AG-Kit and A2A", async () => {
    const { handler, ask, said, received } = opened();
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
    assert.equal(received.length, 4);
    await handler.close();
  });

  test("belong to their user", async () => {
    const { handler, said } = opened({ authenticate: ({ headers }) => headers.get("x-user") });
    const as = (user) => ({ "x-user": user });
    await said("s", "one", {}, as("ann"));
    assert.deepEqual(await said("s", "two", {}, as("eve")), ["user: two"]);
    assert.equal((await said("s", "three", {}, as("ann"))).length, 3);
    await handler.close();
  });

  test("without a user, an id that can be guessed has no history", async () => {
    const { handler, said } = opened();
    await said("123456789012345", "one");
    assert.deepEqual(await said("123456789012345", "two"), ["user: two"]);
    await said("1234567890123456", "one");
    assert.equal((await said("1234567890123456", "two")).length, 3);
    await handler.close();
  });

  test("results of tools follow their calls, and instructions are those of the request", async () => {
    const { handler, ask, said, received } = opened();
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
    assert.deepEqual(received.at(-1), [
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
    const { handler, say, said, received } = opened();
    const name = id();
    await said(name, "fail");
    const response = await say(name, "wait");
    const reader = response.body.getReader();
    await until(() => received.length === 2);
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
    const { handler, ask, say, said } = opened();
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
    const { handler, said } = opened();
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
    const { handler, ask, said, received } = opened();
    const name = id();
    await said(name, "fail", { id: "m1" });
    const message = (own, text) => ({
      id: own,
      role: "user",
      content: [{ type: "text", text }],
    });
    const input = [message("m1", "fail"), message("m2", "go on")];
    await (await ask("/process", { session_id: name, input })).text();
    assert.deepEqual(received.at(-1), ["user: fail", "assistant: answer to fail", "user: go on"]);
    await handler.close();
  });

  test("a repeated idempotency key has the answer of the first request", async () => {
    const { handler, say, said, received } = opened();
    const name = id();
    const key = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [
      await (await say(name, "one", {}, key)).text(),
      await (await say(name, "one", {}, key)).text(),
    ];
    assert.equal(again, first);
    assert.equal(received.length, 1);
    assert.equal((await say(name, "other", {}, key)).status, 422);
    assert.equal((await said(name, "two")).length, 3);
    await handler.close();
  });

  test("a client that sends its history is not given it twice, and replaces it", async () => {
    const { handler, ask, said, received } = opened();
    const name = id();
    await said(name, "forgotten");
    const message = (role, text) => ({ role, content: [{ type: "text", text }] });
    const input = [message("user", "one"), message("assistant", "1"), message("user", "two")];
    await (await ask("/process", { session_id: name, input })).text();
    assert.deepEqual(received.at(-1), ["user: one", "assistant: 1", "user: two"]);
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
      assert.deepEqual(received.at(-1), ["user: x"], path);
    }
    await handler.close();
  });

  test("the history is bounded, begins with a message of the user, and what it has lost is visible", async () => {
    const lost = [];
    const onLosses = (losses) => lost.push(...losses.filter(({ kind }) => kind === "history"));
    const { handler, said, say } = opened({ onLosses });
    const name = id();
    const long = "x".repeat(300_000);
    for (const at of [1, 2]) await said(name, `${at} ${long}`);
    assert.deepEqual(lost, []);
    await said(name, `3 ${long}`);
    const response = await say(name, "other");
    await response.text();
    assert.match(response.headers.get("agentwire-losses"), /history;n=1;class=quality/);
    assert.equal(lost.at(-1).class, "quality");
    const last = await said(name, "last");
    assert.deepEqual(
      last.map((text) => text.slice(0, 20)),
      [
        ...["user: 3 xxxxxxxxxxxx", "assistant: answer to"],
        ...["user: other", "assistant: answer to", "user: last"],
      ],
    );
    await handler.close();
  });

  test("without a user are deleted at the end of their life; with a user only their logs are", async () => {
    for (const authenticate of [undefined, () => "ann"]) {
      const store = memoryStore();
      const retention = { answerMs: 20, taskMs: 40 };
      const { handler, say, said } = opened({ store, authenticate, retention });
      const name = id();
      const response = await say(name, "one", {}, { prefer: "resumable" });
      const [, thread] = /^\/answers\/([0-9a-f]{64})/.exec(
        response.headers.get("content-location"),
      );
      await response.text();
      await until(async () => {
        // A log of its own each time: one reads a store of one process only once.
        const log = new ThreadLog(store, thread);
        await log.state();
        return log.ended().length === 0;
      });
      assert.equal((await said(name, "two")).length, authenticate === undefined ? 1 : 3);
      await handler.close();
    }
  });

  test("the id of a request is that of its agent", async () => {
    const { handler, say } = opened({
      agent: (out, _, { id: own }) => out.message().text().delta(`id ${own}`),
    });
    for (const headers of [{}, { prefer: "resumable" }]) {
      const response = await say(id(), "one", {}, headers);
      const own = response.headers.get("x-request-id");
      assert.ok((await response.text()).includes(`id ${own}`));
    }
    await handler.close();
  });

  test("losses of a request are in the header of a stored answer, too", async () => {
    const { handler, ask } = opened();
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

  test("a custom adapter names its conversation", async () => {
    const adapter = defineAdapter({
      path: "/own",
      protocol: "agent-api",
      conversation: (body) => JSON.parse(body).room,
      convertRequest: (body) => ({
        input: [{ role: "user", content: [{ type: "text", text: JSON.parse(body).ask }] }],
      }),
    });
    const { handler, ask, received } = opened({ adapters: [adapter] });
    const room = id();
    await (await ask("/own", { room, ask: "one" })).text();
    await (await ask("/own", { room, ask: "two" })).text();
    assert.equal(received.at(-1).length, 3);
    await handler.close();
  });

  test("`Prefer: resumable`: the agent continues without its client, and the turn is read at its address", async () => {
    const { handler, say, said, gates } = opened();
    const name = id();
    const response = await say(name, "wait", {}, { prefer: "resumable" });
    const where = response.headers.get("content-location");
    await response.body.cancel();
    gates.get("wait")();
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
    const one = opened({ store });
    const name = id();
    for (const path of ["/process", "/send-message"]) {
      const body =
        path === "/process"
          ? {
              session_id: name,
              input: [{ role: "user", content: [{ type: "text", text: "wait" }] }],
            }
          : { conversationId: name, messages: [{ role: "user", content: "wait" }] };
      const first = path === "/process" ? one : opened({ store });
      const response = await first.ask(path, body);
      await response.body.getReader().read();
      await until(() => first.received.length === 1);
      await first.handler.close();
      const second = opened({ store });
      await until(async () => (await second.say(name, `after ${path}`)).status === 200);
      await until(() => second.received.length === 1);
      const [received] = second.received;
      assert.deepEqual(received.slice(-3), [
        "user: wait",
        "assistant: answer to wait",
        `user: after ${path}`,
      ]);
      await second.handler.close();
    }
  });
});

describe("a message while an answer is being written", { concurrency: true }, () => {
  const started = async (options) => {
    const site = opened(options);
    const name = id();
    const first = site.say(name, "wait");
    await until(() => site.received.length === 1 && site.gates.has("wait"));
    return { ...site, name, first: (await first).text() };
  };

  test("is refused with 409 by default, in the form of its protocol", async () => {
    const { handler, ask, say, said, name, first, gates } = await started();
    const refused = await say(name, "two");
    assert.deepEqual(
      [refused.status, (await refused.json()).code],
      [409, "AGENT_SESSION_RUN_LIMIT_EXCEEDED"],
    );
    const agKit = { conversationId: name, messages: [{ role: "user", content: "two" }] };
    assert.equal((await ask("/send-message", agKit)).status, 409);
    gates.get("wait")();
    await first;
    assert.equal((await said(name, "three")).length, 3);
    await handler.close();
  });

  test("waits for its end: `enqueue`", async () => {
    const { handler, say, name, first, received, gates } = await started({
      whileRunning: "enqueue",
    });
    const second = say(name, "two");
    gates.get("wait")();
    await first;
    await (await second).text();
    assert.deepEqual(received.at(-1), ["user: wait", "assistant: answer to wait", "user: two"]);
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

test("a store of one's own keeps conversations, too", async () => {
  const memory = memoryStore();
  const own = Object.fromEntries(
    ["append", "read", "list", "delete"].map((name) => [
      name,
      (...values) => memory[name](...values),
    ]),
  );
  const { handler, said } = opened({ store: handlerStore(own) });
  const name = id();
  await said(name, "one");
  assert.equal((await said(name, "two")).length, 3);
  await handler.close();
});
