// The sessions of a service with a store, which serves AgentScope as its own service does: `connect`
// of this package, and the requests of the service's web page. In TypeScript or in Rust.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRequest, read } from "agentwire/agentscope";
import { memoryStore } from "agentwire/stores";
import { language } from "../../support/services.mjs";
import { openSessions } from "../../support/sessions.mjs";

const SESSION = "session-of-the-tests";
const user = (text) => ({ name: "user", role: "user", content: [{ type: "text", text }] });
const said = (input) => ({ agent_id: "a", session_id: SESSION, input });
const textOf = ({ parts }) => parts.flatMap(({ type, text }) => (type === "text" ? [text] : []));
const told = ({ messages }) => messages.map((message) => [message.role, textOf(message).join("|")]);
const blocksOf = ({ content }) =>
  content.map(({ type, text, id, state }) => text ?? [type, id, state].join(" "));
const sessionOf = (chat) => chat.getSnapshot().snapshot.session_id;
const json = async (response) => (await response).json();

/** The options of a service in TypeScript that reads a store anew, which answers later. */
function slow() {
  if (language === "Rust") return {};
  const store = memoryStore();
  const { read } = store;
  store.read = async (...asked) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return read.apply(store, asked);
  };
  store.watch = () => Promise.resolve(() => {});
  return { store };
}

/** The state of a chat without an error and a violation. */
function settled(chat) {
  const state = chat.getSnapshot();
  assert.equal(state.error, undefined);
  assert.deepEqual(state.report.violations, []);
  return state;
}

describe(`sessions of AgentScope: ${language}`, () => {
  test("a conversation: the agent has the messages before, and the service lists them", async (t) => {
    const { opened, get } = openSessions(t);
    const chat = opened();
    for (const text of ["one", "two", "three"]) await chat.send(text).finished();
    const texts = ["1: one", "3: two", "5: three"];
    assert.deepEqual(
      told(settled(chat)).filter(([role]) => role === "assistant"),
      texts.map((text) => ["assistant", text]),
    );
    const listed = await json(get(sessionOf(chat), "/messages?agent_id=a"));
    assert.deepEqual(
      listed.messages.map((message) => [message.role, ...blocksOf(message)]),
      ["one", "two", "three"].flatMap((text, at) => [
        ["user", text],
        ["assistant", texts[at]],
      ]),
    );
    assert.equal(listed.messages.at(-1).id, chat.getSnapshot().snapshot.id);
    assert.deepEqual([listed.is_running, listed.has_more], [false, false]);
    const page = await json(get(sessionOf(chat), "/messages?agent_id=a&limit=1"));
    assert.deepEqual([page.messages.length, page.has_more], [1, true]);
    const before = await json(
      get(sessionOf(chat), `/messages?limit=2&before=${listed.messages[3].id}`),
    );
    assert.deepEqual(before.messages, listed.messages.slice(1, 3));
  });

  test("questions are answered in one reply, which continues under its id", async (t) => {
    const { opened, get } = openSessions(t);
    const chat = opened();
    await chat.send("ask").finished();
    const { snapshot, messages } = settled(chat);
    assert.equal(snapshot.status, "waiting");
    const status = await json(get(sessionOf(chat), "/status"));
    assert.deepEqual(status, { session_id: sessionOf(chat), status: "awaiting_permission" });
    const asked = messages.at(-1).parts.filter(({ state }) => state === "approval-requested");
    assert.deepEqual(
      asked.map(({ toolCallId, input }) => [toolCallId, input.path]),
      [
        ["q1", "q1"],
        ["q2", "q2"],
      ],
    );
    chat.approve("q1");
    chat.decline("q2");
    await chat.finished();
    const after = settled(chat);
    assert.deepEqual(textOf(after.messages.at(-1)), ["Delete?", "q1: true,q2: false"]);
    assert.equal(after.snapshot.id, snapshot.id);
    assert.equal((await json(get(sessionOf(chat), "/status"))).status, "idle");
    const listed = await json(get(sessionOf(chat), "/messages"));
    assert.deepEqual(listed.messages.map(blocksOf), [
      ["ask"],
      ["Delete?", "tool_call q1 finished", "tool_call q2 finished", "q1: true,q2: false"],
    ]);
  });

  test("a message is listed once, also while its reply ends", async (t) => {
    const { get, post } = openSessions(t, slow());
    for (let turn = 1; turn <= 3; turn++) {
      await json(post(said(user("count"))));
      for (let isRunning = true; isRunning; ) {
        const pages = await Promise.all(
          Array.from({ length: 4 }, () => json(get(SESSION, "/messages"))),
        );
        for (const { messages } of pages)
          assert.equal(messages.filter(({ role }) => role === "user").length, turn);
        isRunning = pages.at(-1).is_running;
      }
    }
  });

  test("pages of a long session have all messages once", async (t) => {
    const { get, post } = openSessions(t);
    const long = "x".repeat(30_000);
    const texts = Array.from({ length: 24 }, (_, at) => (at % 3 === 0 ? long : "") + at);
    for (const text of texts) {
      await json(post(said(user(text))));
      while ((await json(get(SESSION, "/status"))).status === "running");
    }
    const whole = (await json(get(SESSION, "/messages?limit=200"))).messages;
    assert.deepEqual(whole.filter(({ role }) => role === "user").flatMap(blocksOf), texts);
    for (const limit of [1, 2, 7, 47, 48, 49]) {
      const all = [];
      let page = await json(get(SESSION, `/messages?limit=${limit}`));
      assert.equal(typeof page.event_cursor, "string");
      all.unshift(...page.messages);
      while (page.has_more) {
        assert.equal(page.messages.length, limit);
        page = await json(get(SESSION, `/messages?limit=${limit}&before=${all[0].id}`));
        all.unshift(...page.messages);
      }
      assert.deepEqual(all, whole, `pages of ${limit}`);
    }
    await json(post(said(user("ask"))));
    while ((await json(get(SESSION, "/status"))).status === "running");
    assert.equal((await json(get(SESSION, "/status"))).status, "awaiting_permission");
  });

  test("the agent continues when all calls have their answers, one request after the other", async (t) => {
    const { get, post } = openSessions(t);
    await json(post(said(user("browse"))));
    const waits = async () => (await json(get(SESSION, "/status"))).status;
    while ((await waits()) === "running");
    assert.equal(await waits(), "awaiting_external_result");
    const { messages } = await json(get(SESSION, "/messages"));
    const reply_id = messages.at(-1).id;
    const result = (id) => ({
      ...{ type: "EXTERNAL_EXECUTION_RESULT", id: `event-${id}`, reply_id },
      execution_results: [
        {
          ...{ type: "tool_result", id, name: "browser", state: "success" },
          output: [{ type: "text", text: `page ${id}` }],
        },
      ],
    });
    assert.equal((await post(said(result("c1")))).status, 200);
    assert.equal(await waits(), "awaiting_external_result");
    assert.equal((await post(said(result("c2")))).status, 200);
    while ((await waits()) === "running");
    assert.equal(await waits(), "idle");
    const after = await json(get(SESSION, "/messages"));
    assert.deepEqual(after.messages.map(blocksOf), [
      ["browse"],
      [
        ...["tool_call c1 finished", "tool_call c2 finished"],
        ...["tool_result c1 success", "tool_result c2 success"],
        "c1: page c1,c2: page c2",
      ],
    ]);
  });

  test("calls that the client executes, and a turn after them", async (t) => {
    const { opened } = openSessions(t);
    const chat = opened({ tools: { browser: { execute: ({ url }) => `page ${url}` } } });
    await chat.send("browse").finished();
    await chat.finished();
    assert.deepEqual(textOf(settled(chat).messages.at(-1)), ["c1: page c1,c2: page c2"]);
    const outputs = chat
      .getSnapshot()
      .messages.at(-1)
      .parts.map(({ output }) => output);
    assert.deepEqual(
      outputs.filter((output) => output !== undefined),
      ["page c1", "page c2"],
    );
  });

  test("the user stops a reply, and one that waits, and continues", async (t) => {
    const { opened, get, requests } = openSessions(t);
    const chat = opened();
    for await (const { messages } of chat.send("slow")) {
      if (textOf(messages.at(-1)).join("").includes("3 ")) break;
    }
    chat.stop();
    await chat.finished();
    await chat.send("one").finished();
    assert.match(textOf(settled(chat).messages.at(-1))[0], /: one$/);
    assert.ok(requests.includes("POST interrupt"));
    await chat.send("ask").finished();
    const answer = await get(sessionOf(chat), "/interrupt?agent_id=a", {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    assert.deepEqual([answer.status, await answer.json()], [202, { session_id: sessionOf(chat) }]);
    assert.equal((await json(get(sessionOf(chat), "/status"))).status, "idle");
    const again = await get(sessionOf(chat), "/interrupt", { method: "POST" });
    assert.equal(again.status, 202, "a session that does nothing stays as it is");
  });

  test("a connection that is lost: the chat continues with the next event", async (t) => {
    let cuts = 0;
    const cut = (body) => {
      const limit = 700 + 400 * cuts++;
      let sent = 0;
      return body.pipeThrough(
        new TransformStream({
          transform(chunk, out) {
            const left = limit - sent;
            sent += chunk.length;
            out.enqueue(chunk.subarray(0, Math.max(left, 0)));
            if (sent >= limit) throw new TypeError("terminated");
          },
        }),
      );
    };
    const { opened } = openSessions(t, {
      cut: (body) => (cuts < 4 ? cut(body) : body),
    });
    const chat = opened();
    await chat.send("count").finished();
    const expected = Array.from({ length: 40 }, (_, tick) => `${tick} `).join("");
    assert.deepEqual(textOf(settled(chat).messages.at(-1)), [expected]);
    assert.equal(cuts, 4);
  });

  test("a chat joins a session, whose stream repeats the last reply", async (t) => {
    const { opened } = openSessions(t);
    const first = opened();
    await first.send("one").finished();
    const second = opened({ id: sessionOf(first), session: undefined });
    await second.send("two").finished();
    assert.deepEqual(told(settled(second)).at(-1), ["assistant", "3: two"]);
  });

  test("the stream of a session has the replies of all requests, and those after a cursor", async (t) => {
    const { get, post, handler } = openSessions(t);
    const events = async function* (body) {
      let rest = "";
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop();
        yield* frames.flatMap((frame) =>
          frame.startsWith("data: ") ? [JSON.parse(frame.slice(6))] : [],
        );
      }
    };
    const reply = async (stream) => {
      let text = "";
      for (;;) {
        const { value } = await stream.next();
        if (value.type === "TEXT_BLOCK_DELTA") text += value.delta;
        if (value.type === "REPLY_END") return text;
      }
    };
    const live = events((await get(SESSION, "/stream?agent_id=a")).body);
    const texts = [];
    let cursor;
    for (const text of ["one", "two"]) {
      assert.deepEqual(await json(post(said(user(text)))), {
        status: "started",
        session_id: SESSION,
      });
      texts.push(await reply(live));
      cursor ??= (await json(get(SESSION, "/messages"))).event_cursor;
    }
    assert.deepEqual(texts, ["1: one", "3: two"]);
    const later = events((await get(SESSION, `/stream?agent_id=a&after=${cursor}`)).body);
    assert.equal(await reply(later), "3: two");
    await handler.close();
    const end = await live.next().catch(() => ({ done: true }));
    assert.equal(end.done, true, "the stream ends with the service");
  });

  test("the response to a request that accepts a stream is the stream, as without a store", async (t) => {
    const { handler, opened } = openSessions(t);
    const request = createRequest("http://service.test/chat/", "Hi", { sessionId: SESSION });
    const { snapshot } = await read(handler(request)).finished();
    assert.deepEqual(blocksOf(snapshot), ["1: Hi"]);
    const chat = opened({ agentId: undefined, session: undefined, id: SESSION });
    await chat.send("ask").finished();
    const { id } = chat.getSnapshot().snapshot;
    chat.approve("q1");
    chat.approve("q2");
    await chat.finished();
    assert.deepEqual(textOf(settled(chat).messages.at(-1)), ["Delete?", "q1: true,q2: true"]);
    assert.equal(chat.getSnapshot().snapshot.id, id);
  });

  test("refusals: what is not there, and while a reply is being written", async (t) => {
    const { get, post } = openSessions(t);
    const statusOf = async (response) => (await response).status;
    assert.equal(await statusOf(get(SESSION, "/other")), 404);
    assert.equal(await statusOf(get("short", "/messages")), 404, "a short id is no credential");
    assert.equal(await statusOf(get(SESSION, "/stream", { method: "POST" })), 405);
    assert.equal(await statusOf(post({ ...said(user("Hi")), session_id: "short" })), 404);
    assert.equal(await statusOf(post(said(user("slow")))), 200);
    assert.equal(await statusOf(post(said(user("two")))), 409);
    assert.equal((await json(get(SESSION, "/status"))).status, "running");
    const { messages, is_running } = await json(get(SESSION, "/messages"));
    assert.deepEqual([messages.map(blocksOf), is_running], [[["slow"]], true]);
    await get(SESSION, "/interrupt", { method: "POST" });
    assert.equal(await statusOf(get(SESSION, "", { method: "DELETE" })), 204);
    assert.deepEqual((await json(get(SESSION, "/messages"))).messages, []);
  });

  test("an agent that fails ends the reply with an error, without its words", async (t) => {
    const { opened } = openSessions(t);
    const chat = opened();
    await chat.send("fail").finished();
    assert.ok(chat.getSnapshot().error);
    assert.doesNotMatch(JSON.stringify(chat.getSnapshot()), /secret/);
    await chat.send("one").finished();
    assert.match(textOf(settled(chat).messages.at(-1))[0], /: one$/);
  });

  test("a session belongs to its user", async (t) => {
    const { handler } = openSessions(t, { users: true });
    const ask = (path, name, init = {}) =>
      handler(
        new Request(`http://service.test${path}`, {
          ...init,
          headers: { "content-type": "application/json", "x-user": name },
        }),
      );
    const body = JSON.stringify(said(user("one")));
    assert.equal((await ask("/chat/", "ann", { method: "POST", body })).status, 200);
    const texts = async (name) =>
      (await json(ask(`/sessions/${SESSION}/messages`, name))).messages.length;
    assert.ok((await texts("ann")) > 0);
    assert.equal(await texts("bob"), 0);
    const anonymous = new Request(`http://service.test/sessions/${SESSION}/messages`);
    assert.equal((await handler(anonymous)).status, 401);
  });
});
