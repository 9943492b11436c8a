// `useChat({ resume: true })` against a service that stores answers: the running answer of a chat
// is found by the id of the chat.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as ai6 from "ai";
import { connect } from "agentwire/ai-sdk";
import { memoryStore } from "agentwire/stores";
import { aiSdkAdapter, createHandler } from "agentwire/server";
import { REQUESTS } from "../../support/answers.mjs";
import { StoredUsers } from "../../support/runs_modules.mjs";
import { until } from "../../support/until.mjs";
import { lastText, linesOf, storageOf } from "../connect/agents.mjs";

const ORIGIN = "http://service.test";
const API = `${ORIGIN}/api/chat`;
const AI = { "ai 6": ai6 };
for (const [name, react] of Object.entries({
  "ai 5": "ai-sdk-react-2",
  "ai 7": "ai-sdk-react-4",
})) {
  const nested = createRequire(createRequire(import.meta.url).resolve(react));
  AI[name] = await import(pathToFileURL(nested.resolve("ai")));
}

/**
 * The numbers of runs by the text of the user, and the functions that let waiting agents continue.
 */
const counts = new Map();
const waiting = [];
const release = () => waiting.splice(0).forEach((go) => go());

/**
 * Repeats the text of the user; waits in the middle, unless it is to be short; or refuses the
 * request.
 */
async function agent(out, request) {
  const asked = request.text;
  counts.set(asked, (counts.get(asked) ?? 0) + 1);
  const text = out.message().text();
  await text.delta("You said: ");
  if (!asked.startsWith("short")) {
    await new Promise((go) => {
      waiting.push(go);
      out.signal.addEventListener("abort", go);
    });
  }
  await text.delta(asked);
}

const serviceOn = (store, options) =>
  createHandler({
    store,
    agent,
    authenticate: ({ headers }) =>
      headers.get("authorization")?.slice("Bearer ".length) || undefined,
    onError: (error) => console.error(error),
    ...options,
  });
let runs;
before(() => (runs = serviceOn(memoryStore())));
after(() => {
  release();
  runs.close();
});

/** The entries in the list of ann. */
const tasksOf = (store) => new StoredUsers(store, () => 0).tasks("ann");
const headersOf = (user, more) => ({ ...(user && { authorization: `Bearer ${user}` }), ...more });
const ask = (path, { user = "ann", headers, ...init } = {}, at = runs) =>
  at(new Request(ORIGIN + path, { ...init, headers: headersOf(user, headers) }));
const running = (chatId, options, at) =>
  ask(`/api/chat/${encodeURIComponent(chatId)}/stream`, options, at);

/** Sends a message of a chat, and reads the stream up to the place at which the agent waits. */
async function begin(chatId, text, { headers, path = "/api/chat", ...options } = {}, at = runs) {
  const body = {
    ...(chatId !== undefined && { id: chatId }),
    messages: [{ id: "u", role: "user", parts: [{ type: "text", text }] }],
  };
  const response = await ask(
    path,
    {
      ...options,
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable", ...headers },
      body: JSON.stringify(body),
    },
    at,
  );
  assert.equal(response.status, 200);
  await response.body.getReader().read();
  return response.headers.get("content-location");
}

const textIn = (frames) =>
  [...frames.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join("");

/** A transport of the AI SDK, as `useChat` has it after each load of the page. */
function transportOf({ DefaultChatTransport }, user = "ann") {
  return new DefaultChatTransport({
    api: API,
    headers: headersOf(user, { Prefer: "resumable" }),
    fetch: (url, init) => runs(new Request(url, init)),
  });
}

const messageOf = (text) => [{ id: "u1", role: "user", parts: [{ type: "text", text }] }];

async function lastMessage({ readUIMessageStream }, stream) {
  let last;
  for await (const message of readUIMessageStream({ stream })) last = message;
  return last.parts.map(({ text = "" }) => text).join("");
}

for (const [name, ai] of Object.entries(AI)) {
  // The transport of `ai` 5 does not encode the id.
  const chatId = `${name.at(-1)} ä/好${name === "ai 5" ? "" : "?%41#"}`;
  test(`${name}: a transport that is created after a reload reads the running answer from its beginning`, async () => {
    const asked = `hello of ${name}`;
    const stream = await transportOf(ai).sendMessages({
      chatId,
      trigger: "submit-message",
      messages: messageOf(asked),
    });
    await stream.getReader().read();
    const [again, tab] = [
      await transportOf(ai).reconnectToStream({ chatId }),
      await transportOf(ai).reconnectToStream({ chatId }),
    ];
    assert.notEqual(again, null);
    const texts = [lastMessage(ai, again), lastMessage(ai, tab)];
    release();
    assert.deepEqual(await Promise.all(texts), [`You said: ${asked}`, `You said: ${asked}`]);
    assert.equal(counts.get(asked), 1);
    await until(async () => (await transportOf(ai).reconnectToStream({ chatId })) === null);
  });
}

describe("the running answer of a chat", () => {
  test("is the stored answer, with its cursors and its address", async () => {
    const where = await begin("cursors", "cursors");
    const response = await running("cursors");
    assert.deepEqual(
      ["content-type", "content-location", "preference-applied", "cache-control"].map((header) =>
        response.headers.get(header),
      ),
      ["text/event-stream; charset=utf-8", where, "resumable", "no-store"],
    );
    release();
    const text = await response.text();
    assert.equal(text, await (await ask(where)).text());
    assert.equal(textIn(text), "You said: cursors");
    const cursors = [...text.matchAll(/^id: (.*)$/gm)].map(([, cursor]) => cursor);
    await begin("cursors", "more");
    // A cursor of an earlier answer is refused, as at the address of the answer.
    assert.equal(
      (await running("cursors", { headers: { "last-event-id": cursors[0] } })).status,
      422,
    );
    release();
  });

  test("is not one that has ended", async () => {
    const where = await begin("ended", "short");
    await (await ask(where)).text();
    await until(async () => (await running("ended")).status === 204);
    assert.equal((await ask(where)).status, 200);
  });

  test("is the later one of two, also when the later one has ended first", async () => {
    const first = await begin("two", "first");
    const second = await begin("two", "second");
    assert.notEqual(first, second);
    assert.equal((await running("two")).headers.get("content-location"), second);
    await ask(second, { method: "DELETE", headers: { "x-requested-with": "test" } });
    await (await ask(second)).text();
    await until(async () => (await running("two")).status === 204);
    // The first one is still running.
    release();
    assert.equal(textIn(await (await ask(first)).text()), "You said: first");
    assert.equal((await running("two")).status, 204);
  });

  test("belongs to its user: others receive what they receive for a chat that does not exist", async () => {
    await begin("own", "mine");
    const of = async (response) => [
      response.status,
      await response.text(),
      [...response.headers].filter(([name]) => name !== "x-request-id"),
    ];
    assert.deepEqual(
      await of(await running("own", { user: "bob" })),
      await of(await running("nothing", { user: "bob" })),
    );
    assert.equal((await running("own", { user: "bob" })).status, 204);
    assert.equal((await running("own", { user: "" })).status, 401);
    // The same id is another chat of another user.
    const where = await begin("own", "his", { user: "bob" });
    assert.equal((await running("own", { user: "bob" })).headers.get("content-location"), where);
    assert.notEqual((await running("own")).headers.get("content-location"), where);
    release();
  });

  test("is not one that is not stored, of no chat, or of another path", async () => {
    await begin("plain", "plain", { headers: { prefer: "" } });
    assert.equal((await running("plain")).status, 204);
    await begin(undefined, "none");
    await begin("", "empty");
    await begin("u", "u")
      .then(() => running("u"))
      .then(({ status }) => assert.equal(status, 200));
    const [path, body] = REQUESTS["ag-ui"]("another");
    const other = await ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable" },
      body: JSON.stringify({ ...body, id: "other" }),
    });
    assert.equal((await running("other")).status, 204);
    release();
    await other.body.cancel();
  });

  test("is not the refusal of a request", async () => {
    const refused = await ask("/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable" },
      body: JSON.stringify({ id: "refused", messages: 1 }),
    });
    assert.ok(refused.status >= 400 && refused.status < 500, `${refused.status}`);
    assert.equal((await running("refused")).status, 204);
  });

  test("without a user, if that is allowed, the id of the chat is the credential, so it must not be short", async (context) => {
    const open = serviceOn(memoryStore(), {
      authenticate: undefined,
      adapters: [aiSdkAdapter({ path: "/chats" })],
    });
    context.after(() => open.close());
    for (const [chatId, status] of [
      [crypto.randomUUID(), 200],
      ["short", 204],
    ]) {
      await begin(chatId, "public", { user: "", path: "/chats" }, open);
      assert.equal(
        (await ask(`/chats/${chatId}/stream`, { user: "" }, open)).status,
        status,
        chatId,
      );
    }
    release();
  });

  test("is not one whose process has ended, which the next process ends", async (context) => {
    const store = memoryStore();
    const first = serviceOn(store);
    const where = await begin("interrupted", "an interrupted one", {}, first);
    await first.close();
    assert.equal((await tasksOf(store)).length, 1);
    const second = serviceOn(store);
    context.after(() => second.close());
    assert.match(await (await ask(where, {}, second)).text(), /interrupted/);
    assert.equal((await running("interrupted", {}, second)).status, 204);
    await until(async () => (await tasksOf(store)).length === 0);
  });

  test("is in the list of its user only while it is running, and is no A2A task", async (context) => {
    const store = memoryStore();
    const own = serviceOn(store);
    context.after(() => own.close());
    for (const text of ["one", "two", "three"]) await begin("listed", text, {}, own);
    assert.equal((await tasksOf(store)).length, 1);
    const list = { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} };
    const listed = await ask(
      "/a2a",
      {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0" },
        body: JSON.stringify(list),
      },
      own,
    );
    assert.deepEqual((await listed.json()).result.tasks, []);
    release();
    await until(async () => (await tasksOf(store)).length === 0);
  });
});

describe("`connect` with `resume`", () => {
  /** A page: its chat, and the requests that it has sent. A response of `hold` does not arrive. */
  function page(items, { hold = () => false } = {}) {
    const sent = [];
    const fetch = async (request) => {
      sent.push(`${request.method} ${new URL(request.url).pathname.split("/").at(-1)}`);
      const response = await runs(request);
      return hold(request) ? new Promise(() => {}) : response;
    };
    const storage = storageOf(items);
    const persist = { key: "chat", storage, onError: (error) => assert.fail(error) };
    return {
      chat: connect(API, { resume: true, persist, fetch, headers: headersOf("ann") }),
      sent,
      stored: () => storage.items.get("chat"),
    };
  }

  test("a reload in the middle of an answer continues it once", async () => {
    const first = page();
    first.chat.send("in the middle");
    await until(() => lastText(first.chat.getSnapshot()) === "You said: ");
    const second = page(first.stored());
    await until(() => lastText(second.chat.getSnapshot()) === "You said: ");
    release();
    await second.chat.finished();
    assert.deepEqual(linesOf(second.chat), [
      "user: in the middle",
      "assistant: You said: in the middle",
    ]);
    assert.deepEqual(
      [counts.get("in the middle"), second.sent.filter((request) => request.startsWith("POST"))],
      [1, []],
    );
  });

  test("a reload before the response has arrived finds the answer by the id of the chat, and can stop it", async () => {
    for (const isStopped of [false, true]) {
      const asked = `before the response, ${isStopped}`;
      const first = page(undefined, { hold: () => true });
      first.chat.send(asked);
      await until(() => counts.get(asked) === 1 && waiting.length === 1);
      const second = page(first.stored());
      await until(() => lastText(second.chat.getSnapshot()) === "You said: ");
      assert.deepEqual(second.sent, ["GET stream"]);
      if (isStopped) {
        await second.chat.stop();
        await until(async () => (await running(second.chat.getSnapshot().id)).status === 204);
        waiting.length = 0;
        assert.match(second.sent.at(-1), /^DELETE [0-9a-f]{64}$/);
      } else {
        release();
        await second.chat.finished();
        assert.deepEqual(linesOf(second.chat), [`user: ${asked}`, `assistant: You said: ${asked}`]);
      }
      assert.equal(counts.get(asked), 1);
    }
  });

  test("after a reload behind the end, the answer is at its own address", async () => {
    const first = page();
    first.chat.send("behind the end");
    await until(() => lastText(first.chat.getSnapshot()) === "You said: ");
    const stored = first.stored();
    release();
    await first.chat.finished();
    const second = page(stored);
    await second.chat.finished();
    assert.deepEqual(linesOf(second.chat), [
      "user: behind the end",
      "assistant: You said: behind the end",
    ]);
    assert.equal(counts.get("behind the end"), 1);
  });
});
