// Storing a chat: storages, functions, reloads, a second tab, and their failures.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { settled, until } from "../support/sources.mjs";
import { PROTOCOLS, ask, handler, lastText, linesOf, opened, storageOf } from "./agents.mjs";
import { bodyOf, cutAfter, faulty, framesOf, server } from "./network.mjs";
import { watch } from "./watch.mjs";

/** An agent whose stream ends some time after its last event. */
async function endingLate(request) {
  const response = await handler(request);
  const late = new TransformStream({
    flush: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
  return new Response(response.body.pipeThrough(late), response);
}

const exchangesIn = (storage, key = "chat") => JSON.parse(storage.items.get(key)).exchanges;

for (const [protocol, { hasTools }] of Object.entries(PROTOCOLS)) {
  describe(`a stored chat in ${protocol}`, () => {
    test("an exchange is stored when it is sent, and with its final status", async () => {
      const persist = { key: "chat", storage: storageOf() };
      const { chat } = opened(protocol, { fetch: endingLate, persist });
      const run = chat.send("One.");
      assert.deepEqual(
        exchangesIn(persist.storage).map(({ status, user }) => [status, user.parts[0].text]),
        [["sending", "One."]],
      );
      await run.finished();
      assert.deepEqual(
        exchangesIn(persist.storage).map(({ status }) => status),
        ["done"],
      );
      chat.clear();
      assert.equal(persist.storage.items.size, 0);
    });

    test("a partial answer is there after a reload, and the request can be repeated", async () => {
      const persist = { key: "chat", storage: storageOf() };
      const first = opened(protocol, { persist }).chat;
      first.send("Wait.");
      await until(() => lastText(first.getSnapshot()) === "I wait");
      await until(() => /I wait/.test(persist.storage.items.get("chat")));
      const second = opened(protocol, {
        persist,
        fetch: () => Promise.reject(new TypeError("offline")),
      }).chat;
      assert.deepEqual(
        [linesOf(second), second.getSnapshot().canRetry, second.getSnapshot().status],
        [["user: Wait.", "assistant: I wait (stopped)"], true, "ready"],
      );
      first.stop();
    });

    test("a call that was executed during the reload is not executed again by itself", {
      skip: !hasTools && "the protocol has no tools of the client",
    }, async () => {
      const persist = { key: "chat", storage: storageOf() };
      let executed = 0;
      const first = opened(protocol, {
        persist,
        tools: {
          paint: {
            execute: () => {
              executed++;
              return new Promise(() => {});
            },
          },
        },
      }).chat;
      first.send("Paint it.");
      await until(() => executed === 1);
      const again = {
        paint: {
          execute: () => {
            executed++;
            return "painted";
          },
        },
      };
      const second = opened(protocol, { persist, tools: again }).chat;
      const watched = watch(second);
      await settled();
      assert.deepEqual(
        [
          executed,
          second.getSnapshot().pending.length,
          second.getSnapshot().messages.at(-1).status,
          second.getSnapshot().canRetry,
        ],
        [1, 1, "stopped", true],
      );
      second.retry();
      assert.equal(lastText(await second.finished()), "The page returned painted.");
      assert.equal(executed, 2);
      watched.end();
      first.stop();
    });

    test("an error is stored without its cause; a queue is stored and waits", async () => {
      const persist = { key: "chat", storage: storageOf() };
      const down = () => new Response("", { status: 503 });
      const first = opened(protocol, { persist, fetch: down }).chat;
      const run = first.send("One.");
      first.send("Two.");
      await run.finished();
      const { chat, sent } = opened(protocol, { persist });
      const { error, status } = chat.getSnapshot();
      assert.deepEqual(
        [status, error.code, error.status, error.cause, linesOf(chat)],
        ["error", "http-status", 503, undefined, ["user: One. (failed)", "user: Two. (queued)"]],
      );
      await assert.rejects(async () => {
        throw error.cause ?? new Error("no cause");
      }, /no cause/);
      await settled();
      assert.equal(sent.length, 0);
      chat.retry();
      await until(() => !chat.getSnapshot().isBusy && chat.getSnapshot().messages.length === 4);
      assert.deepEqual(linesOf(chat), [
        "user: One.",
        "assistant: You said: One.",
        "user: Two.",
        "assistant: You said: Two.",
      ]);
    });
  });
}

test("AG-UI: the thread is stored once, not once per message", async () => {
  const persist = { key: "chat", storage: storageOf() };
  const { chat } = opened("ag-ui", { persist });
  const sizes = [];
  for (let turn = 0; turn < 12; turn++) {
    await chat.send("word ".repeat(100)).finished();
    sizes.push(persist.storage.items.get("chat").length);
  }
  const [small, large] = [sizes[5] - sizes[4], sizes[11] - sizes[10]];
  assert.ok(large < small * 1.1, `${small} and ${large} characters for a message`);
});

test("`load` and `save` store a conversation, synchronously or asynchronously, and their calls do not overlap", async () => {
  const saved = [];
  let inProgress = 0;
  const save = async (conversation) => {
    assert.equal(++inProgress, 1);
    await settled();
    saved.push(structuredClone(conversation));
    inProgress--;
  };
  const first = opened("ag-ui", { persist: { load: () => null, save } }).chat;
  await ask(first, "One.");
  await until(() => saved.at(-1)?.exchanges.at(-1).status === "done");
  assert.equal(saved[0].exchanges[0].status, "sending");
  let resolve;
  const second = opened("ag-ui", {
    persist: { load: () => new Promise((loaded) => (resolve = loaded)), save },
  }).chat;
  assert.deepEqual(
    [
      second.getSnapshot().messages,
      second.getSnapshot().isLoading,
      second.getSnapshot().isBusy,
      second.retry(),
    ],
    [[], true, false, false],
  );
  // What is sent meanwhile is visible immediately, and follows the conversation.
  const runs = [second.send("Two."), second.send("Three.")];
  assert.deepEqual(linesOf(second), ["user: Two. (queued)", "user: Three. (queued)"]);
  resolve(saved.at(-1));
  await Promise.all(runs.map((run) => run.finished()));
  const { id, isLoading } = second.getSnapshot();
  assert.deepEqual(
    [id, isLoading, linesOf(second)],
    [
      first.getSnapshot().id,
      false,
      ["One.", "Two.", "Three."].flatMap((text) => [
        `user: ${text}`,
        `assistant: You said: ${text}`,
      ]),
    ],
  );
});

test("finished() and the states of a run wait for the stored conversation", async () => {
  let resolve;
  const { chat } = opened("ag-ui", {
    persist: { load: () => new Promise((loaded) => (resolve = loaded)), save: () => {} },
  });
  const loaded = chat.finished();
  setTimeout(() => resolve(undefined), 5);
  assert.deepEqual([(await loaded).isLoading, chat.getSnapshot().messages], [false, []]);
  assert.equal(await ask(chat, "One."), "You said: One.");
});

test("a stored conversation that loads after clear() is ignored", async () => {
  let resolve;
  const { chat } = opened("ag-ui", {
    persist: { load: () => new Promise((loaded) => (resolve = loaded)), save: () => {} },
  });
  chat.clear();
  const { id } = chat.getSnapshot();
  resolve({ version: 1, protocol: "ag-ui", id: "old", exchanges: [] });
  await settled();
  assert.deepEqual([chat.getSnapshot().id, chat.getSnapshot().isLoading], [id, false]);
});

test("a storage that fails does not fail the chat", async () => {
  const errors = [];
  const onError = (error) => errors.push(error.message);
  const fail = () => {
    throw new Error("full");
  };
  for (const persist of [
    { key: "chat", storage: { ...storageOf(), setItem: fail }, onError },
    { key: "chat", storage: { ...storageOf(), getItem: fail }, onError },
    { key: "chat", storage: { ...storageOf(), removeItem: fail }, onError },
    { key: "chat", storage: { ...storageOf(), getItem: () => "{" }, onError },
    { load: () => Promise.reject(new Error("no database")), save: fail, onError },
    { load: () => undefined, save: async () => fail(), onError },
  ]) {
    const { chat } = opened("ag-ui", { persist });
    const watched = watch(chat);
    assert.equal(await ask(chat, "One."), "You said: One.");
    watched.end();
    chat.clear();
  }
  await settled();
  assert.ok(
    errors.filter((message) => message === "full").length >= 6 && errors.includes("no database"),
    errors.join(),
  );
  // A server has no storage.
  assert.equal(
    await ask(opened("ag-ui", { persist: { key: "chat" } }).chat, "One."),
    "You said: One.",
  );
});

test("a full storage keeps the last conversation that fit, and the page keeps everything", async () => {
  const storage = storageOf();
  const errors = [];
  const setItem = (key, text) => {
    if (text.length > 2_000) {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    }
    storage.setItem(key, text);
  };
  const { chat } = opened("ag-ui", {
    persist: {
      key: "chat",
      storage: { ...storage, setItem },
      onError: (error) => errors.push(error.name),
    },
  });
  const watched = watch(chat);
  for (const text of ["One.", "Two.", "Three.".repeat(300), "Four."]) {
    await chat.send(text).finished();
  }
  assert.equal(chat.getSnapshot().messages.length, 8);
  assert.ok(
    errors.length > 0 && errors.every((name) => name === "QuotaExceededError"),
    errors.join(),
  );
  watched.end();
  assert.doesNotThrow(() => JSON.parse(storage.items.get("chat")));
});

describe("in a page", () => {
  const before = {
    document: globalThis.document,
    localStorage: globalThis.localStorage,
    addEventListener: globalThis.addEventListener,
    removeEventListener: globalThis.removeEventListener,
  };
  after(() => Object.assign(globalThis, before));

  /**
   * Two tabs share a storage: what one stores is an event in the other. Returns a function that
   * runs work in a tab.
   */
  function tabs() {
    const storage = storageOf();
    const listeners = new Map();
    let current = "first";
    globalThis.document = { visibilityState: "hidden" };
    globalThis.addEventListener = (type, listener) =>
      listeners.set(listener, { type, tab: current });
    globalThis.removeEventListener = (type, listener) => listeners.delete(listener);
    const fire = (type, event, isIn) =>
      [...listeners].forEach(
        ([listener, each]) => each.type === type && isIn(each.tab) && listener(event),
      );
    const area = {
      getItem: storage.getItem,
      setItem: (key, text) => {
        storage.setItem(key, text);
        return fire(
          "storage",
          { key, newValue: text, storageArea: area },
          (tab) => tab !== current,
        );
      },
      removeItem: (key) => {
        storage.removeItem(key);
        return fire(
          "storage",
          { key, newValue: null, storageArea: area },
          (tab) => tab !== current,
        );
      },
    };
    globalThis.localStorage = area;
    return {
      storage,
      fire,
      listeners,
      within: (tab, work) => {
        current = tab;
        return work();
      },
    };
  }

  test("a second tab shows what the first one stores, and continues it", async () => {
    const { within, listeners } = tabs();
    const persist = { key: "chat" };
    const first = within("first", () => opened("ag-ui", { persist }).chat);
    const second = within("second", () => opened("ag-ui", { persist }).chat);
    const watched = watch(second);
    within("first", () => first.send("One."));
    assert.equal(linesOf(second)[0].startsWith("user: One."), true);
    await first.finished();
    assert.deepEqual(linesOf(second), ["user: One.", "assistant: You said: One."]);
    assert.deepEqual(
      second.getSnapshot().messages.map(({ id }) => id),
      first.getSnapshot().messages.map(({ id }) => id),
    );
    await within("second", () => ask(second, "Two."));
    assert.deepEqual(linesOf(first), linesOf(second));
    watched.end();
    // What the other tab clears is gone here, too.
    within("first", () => first.clear());
    assert.deepEqual(second.getSnapshot().messages, []);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    assert.equal(listeners.size, 0);
  });

  test("what does not fit in an event of the storage is ignored", async () => {
    const { fire, within } = tabs();
    const errors = [];
    const chat = within(
      "first",
      () =>
        opened("ag-ui", { persist: { key: "chat", onError: (error) => errors.push(error) } }).chat,
    );
    await ask(chat, "One.");
    const storageArea = globalThis.localStorage;
    for (const event of [
      { key: "other", newValue: "{}", storageArea },
      { key: "chat", newValue: "{", storageArea },
      { key: "chat", newValue: "{}", storageArea: {} },
    ]) {
      fire("storage", event, () => true);
    }
    assert.deepEqual(
      [linesOf(chat), errors.length],
      [["user: One.", "assistant: You said: One."], 1],
    );
  });

  test("a partial answer is stored when the page is left", async () => {
    const { fire, within, storage } = tabs();
    const { handler: serve } = server();
    const { chat } = within("first", () =>
      opened("ag-ui", {
        persist: { key: "chat" },
        fetch: async (request) =>
          new Response(
            bodyOf((await framesOf(await serve(request))).slice(0, 4), { stays: true }),
            { headers: { "content-type": "text/event-stream" } },
          ),
      }),
    );
    chat.send("One.");
    await until(() => chat.getSnapshot().status === "streaming");
    const shown = lastText(chat.getSnapshot());
    fire("pagehide", {}, () => true);
    const reloaded = opened("ag-ui", { persist: { key: "chat", storage } }).chat;
    assert.ok(lastText(reloaded.getSnapshot()).startsWith(shown));
    chat.stop();
  });

  test("without locks, of two tabs that send at the same time, the last one stores the conversation", async () => {
    const { within, storage } = tabs();
    const persist = { key: "chat" };
    const first = within("first", () => opened("ag-ui", { persist }).chat);
    const second = within("second", () => opened("ag-ui", { persist }).chat);
    const [one, two] = [
      within("first", () => first.send("One.")),
      within("second", () => second.send("Two.")),
    ];
    await Promise.all([one.finished(), two.finished()]);
    assert.deepEqual(
      [first, second].map((chat) => chat.getSnapshot().isBusy),
      [false, false],
    );
    const { messages } = opened("ag-ui", { persist: { key: "chat", storage } }).chat.getSnapshot();
    assert.ok(messages.some(({ parts }) => parts[0].text === "Two."));
  });
});

test("an answer that a limit has cut is stored as such, and not sent on", async () => {
  const { handler: serve, received } = server();
  const persist = { key: "chat", storage: storageOf() };
  const open = () =>
    opened("ag-ui", { persist, fetch: serve, read: { limits: { contentBytes: 100 } } }).chat;
  const chat = open();
  await chat.send("one").finished();
  await chat.send(`two ${"z".repeat(94)}`).finished();
  assert.deepEqual(
    [chat.getSnapshot().status, chat.getSnapshot().error.code],
    ["error", "limit-exceeded"],
  );
  const reloaded = open();
  assert.equal(reloaded.getSnapshot().error.code, "limit-exceeded");
  await reloaded.send("three").finished();
  assert.deepEqual(
    [
      reloaded.getSnapshot().status,
      received.at(-1).filter((text) => text.startsWith("You said: two")),
    ],
    ["ready", []],
  );
});

test("a chat on the storage of a stopped one can be sent on at once", async () => {
  const { handler: serve } = server();
  const persist = { key: "chat", storage: storageOf() };
  const first = opened("ag-ui", {
    persist,
    fetch: faulty(serve, [cutAfter(4, { stays: true })]),
  }).chat;
  first.send("One.");
  await until(() => first.getSnapshot().status === "streaming");
  first.stop();
  const second = opened("ag-ui", { persist, fetch: serve }).chat;
  assert.equal(await ask(second, "Two."), "You said: Two.");
  assert.equal(second.getSnapshot().messages[0].parts[0].text, "One.");
});
