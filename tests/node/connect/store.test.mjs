// Conversations with an agent of `connect`, and conversations that are stored.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentwireError } from "agentwire";
import { createConversation } from "agentwire/store";
import { settled, until } from "../support/sources.mjs";
import { PROTOCOLS, connected, handler, textOf } from "./agents.mjs";

const code = (code, words = /./) => (error) => error instanceof AgentwireError && error.code === code && words.test(error.message);

/** A storage of texts, as a page has it. */
function storage() {
  const items = new Map();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => void items.set(key, text),
    removeItem: (key) => void items.delete(key),
  };
}

/** An agent whose stream ends some time after its last event. */
async function endingLate(request) {
  const response = await handler(request);
  const late = new TransformStream({ flush: () => new Promise((resolve) => setTimeout(resolve, 20)) });
  return new Response(response.body.pipeThrough(late), response);
}

const last = ({ turns }) => textOf(turns.at(-1).snapshot);

for (const [protocol, { hasTools }] of Object.entries(PROTOCOLS)) {
  describe(`a conversation in ${protocol}`, () => {
    test("tools, approvals, failures and stop()", async () => {
      let isDown = false;
      const fetch = (request) => (isDown ? new Response("", { status: 503 }) : handler(request));
      const { agent } = connected(protocol, { fetch, tools: { paint: { execute: ({ color }) => `painted ${color}` } } });
      const conversation = createConversation(agent);
      conversation.send("One.");
      assert.equal(last(await conversation.finished()), "You said: One.");
      if (hasTools) {
        conversation.send("Paint it.");
        const { turns } = await conversation.finished();
        assert.deepEqual([turns.length, textOf(turns[2].snapshot)], [3, "The page returned painted teal."]);
      }
      for (const [answer, text] of [["approve", "They are gone."], ["decline", "They stay."]]) {
        conversation.send("Delete all.");
        conversation[answer]((await conversation.finished()).pending[0].id);
        assert.equal(last(await conversation.finished()), text);
      }
      isDown = true;
      conversation.send("Two.");
      assert.equal((await conversation.finished()).error.code, "http-status");
      isDown = false;
      conversation.retry();
      assert.equal(last(await conversation.finished()), "You said: Two.");
      conversation.send("Wait.");
      await until(() => conversation.getSnapshot().status === "streaming" && last(conversation.getSnapshot()).includes("I wait"));
      conversation.stop();
      conversation.send("Three.");
      const { turns, status } = await conversation.finished();
      assert.deepEqual([turns.at(-2).status, status, textOf(turns.at(-1).snapshot)], ["aborted", "done", "You said: Three."]);
      assert.equal(agent.status, "idle");
    });

    test("a turn is stored with its final status", async () => {
      const persist = { key: "chat", storage: storage() };
      const conversation = createConversation(connected(protocol, { fetch: endingLate }).agent, { persist });
      conversation.send("One.");
      const finished = conversation.finished();
      while (conversation.getSnapshot().isBusy) {
        await new Promise(setImmediate);
      }
      await finished;
      assert.deepEqual(JSON.parse(persist.storage.items.get("chat")).turns.map(({ status }) => status), ["done"]);
    });

    test("a conversation continues after a page reload", async () => {
      const persist = { key: "chat", storage: storage() };
      const first = createConversation(connected(protocol).agent, { persist });
      assert.deepEqual(persist.storage.items.size, 0);
      first.send("One.");
      await first.finished();
      first.send("Delete all.");
      await first.finished();
      const second = createConversation(connected(protocol).agent, { persist });
      assert.deepEqual([second.getServerSnapshot().turns, second.getSnapshot().id], [[], first.getSnapshot().id]);
      assert.deepEqual(JSON.parse(JSON.stringify(second.getSnapshot().turns.map(({ snapshot }) => snapshot))), JSON.parse(JSON.stringify(first.getSnapshot().turns.map(({ snapshot }) => snapshot))));
      second.approve(second.getSnapshot().pending[0].id);
      assert.equal(last(await second.finished()), "They are gone.");
      second.send("Wait.");
      await until(() => second.getSnapshot().status === "streaming");
      // The page is closed during a response.
      const third = createConversation(connected(protocol).agent, { persist });
      assert.deepEqual(third.getSnapshot().turns.map(({ message, status }) => [message, status]), [
        ["One.", "done"],
        ["Delete all.", "done"],
        [undefined, "done"],
        ["Wait.", "aborted"],
      ]);
      second.stop();
      third.send("Two.");
      assert.equal(last(await third.finished()), "You said: Two.");
      third.clear();
      assert.equal(persist.storage.items.size, 0);
    });
  });
}

test("AG-UI: the thread is stored once, not once per turn", async () => {
  const persist = { key: "chat", storage: storage() };
  const conversation = createConversation(connected("ag-ui").agent, { persist });
  const sizes = [];
  for (let turn = 0; turn < 12; turn++) {
    conversation.send("word ".repeat(100));
    await conversation.finished();
    sizes.push(persist.storage.items.get("chat").length);
  }
  const [small, large] = [sizes[5] - sizes[4], sizes[11] - sizes[10]];
  assert.ok(large < small * 1.1, `${small} and ${large} characters for a turn`);
});

test("`load` and `save` store a conversation, synchronously or asynchronously", async () => {
  const saved = [];
  let resolve;
  const save = async (conversation) => void saved.push(structuredClone(conversation));
  const persist = { load: () => new Promise((loaded) => (resolve = loaded)), save };
  const first = createConversation(connected("ag-ui").agent, { persist: { load: () => null, save } });
  first.send("One.");
  await first.finished();
  await settled();
  assert.deepEqual(saved.map(({ turns }) => turns.map(({ status }) => status)), [["connecting"], ["done"]]);
  const second = createConversation(connected("ag-ui").agent, { persist });
  assert.deepEqual([second.getSnapshot().turns, second.getSnapshot().isBusy], [[], true]);
  assert.equal(second.send("Two."), true);
  assert.equal(second.send("Twice."), false);
  resolve(saved.at(-1));
  const { turns, id } = await second.finished();
  assert.deepEqual([id, turns.map(({ message }) => message)], [first.getSnapshot().id, ["One.", "Two."]]);
  assert.equal(last({ turns }), "You said: Two.");
});

test("a stored conversation that loads after clear() is ignored", async () => {
  let resolve;
  const persist = { load: () => new Promise((loaded) => (resolve = loaded)), save: () => {} };
  const conversation = createConversation(connected("ag-ui").agent, { persist });
  conversation.clear();
  const { id } = conversation.getSnapshot();
  resolve({ id: "old", turns: [] });
  await settled();
  assert.deepEqual([conversation.getSnapshot().id, conversation.getSnapshot().isBusy], [id, false]);
});

test("a storage error does not fail the conversation", async () => {
  const errors = [];
  const onError = (error) => errors.push(error.message);
  const fail = () => {
    throw new Error("full");
  };
  for (const persist of [
    { key: "chat", storage: { ...storage(), setItem: fail }, onError },
    { key: "chat", storage: { ...storage(), getItem: () => "{" }, onError },
    { load: () => Promise.reject(new Error("no database")), save: fail, onError },
  ]) {
    const conversation = createConversation(connected("ag-ui").agent, { persist });
    conversation.send("One.");
    assert.equal(last(await conversation.finished()), "You said: One.");
  }
  await settled();
  assert.deepEqual(errors.filter((message) => message === "full").length, 4);
  assert.ok(errors.includes("no database"));
  // A server has no storage.
  const conversation = createConversation(connected("ag-ui").agent, { persist: { key: "chat" } });
  conversation.send("One.");
  assert.equal(last(await conversation.finished()), "You said: One.");
});

test("an unknown option is rejected, and the error suggests the closest name", () => {
  const { agent } = connected("ag-ui");
  const wrong = (make, words) => assert.throws(make, code("wrong-option", words));
  wrong(() => createConversation(agent, { persits: { key: "chat" } }), /`persits`: did you mean `persist`/);
  wrong(() => createConversation({ request: () => {}, protocl: "ag-ui" }), /no option `protocl`/);
  wrong(() => createConversation({ request: () => {}, tool: {} }), /did you mean `tools`/);
  wrong(() => createConversation(agent, { persist: { storage: storage() } }), /`persist` has `key`/);
  wrong(() => createConversation(agent, { persist: { key: "chat", stored: 1 } }), /`stored`/);
});

test("a conversation starts with the state of its agent", async () => {
  const { agent } = connected("responses");
  await agent.send("One.").finished();
  const conversation = createConversation(connected("responses", { state: agent.state }).agent);
  assert.deepEqual([conversation.getSnapshot().id, conversation.getSnapshot().turns.map(({ message }) => message)], [agent.state.id, ["One."]]);
});
