// Long conversations in the protocols whose requests repeat the thread: the server receives every message of every turn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHandler } from "agentwire/server";
import { createConversation } from "agentwire/store";
import { PROTOCOLS, reaching } from "./agents.mjs";

const REPEATING = ["ag-ui", "ai-sdk", "responses"];

/** A server that answers each question, and what its agent received last: the texts of all messages. */
function server() {
  const seen = { texts: [] };
  const agent = async (out, { input }) => {
    seen.texts = input.flatMap(({ content }) => content.flatMap(({ text }) => (text === undefined ? [] : [text])));
    const question = seen.texts.at(-1);
    const message = out.message().text();
    await message.delta(`re: ${question}`);
    if (question.startsWith("wait")) {
      await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
    }
    if (question.startsWith("fail")) {
      throw new Error("the agent has failed");
    }
  };
  return { seen, handler: createHandler({ agent, onError: () => {} }) };
}

function agentOf(protocol, handler, options = {}) {
  const { connect, path, more } = PROTOCOLS[protocol];
  return connect(`http://agent.test${path}`, { fetch: handler, ...more, ...options });
}

/** The texts of a thread after these questions. */
const threadOf = (questions) => questions.flatMap((text, at) => (at === questions.length - 1 ? [text] : [text, `re: ${text}`]));

const questionsOf = (count, length) => Array.from({ length: count }, (_, at) => `fact ${at + 1} `.padEnd(length, "x"));

function storageOf() {
  const items = new Map();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, text) => items.set(key, text), removeItem: (key) => items.delete(key) };
}

for (const protocol of REPEATING) {
  for (const length of [8, 400]) {
    test(`${protocol}: the server receives 60 turns with questions of ${length} characters`, async () => {
      const { seen, handler } = server();
      const { sent, ...options } = reaching(handler);
      const agent = agentOf(protocol, handler, options);
      const questions = questionsOf(60, length);
      for (const [at, question] of questions.entries()) {
        const { report } = await agent.send(question).finished();
        assert.deepEqual([agent.status, report.counts], ["done", {}], `turn ${at + 1}`);
        assert.deepEqual(seen.texts, threadOf(questions.slice(0, at + 1)), `turn ${at + 1}`);
      }
      assert.equal(sent.length, 60);
    });
  }

  test(`${protocol}: a store that is reloaded every tenth turn sends every message`, async () => {
    const { seen, handler } = server();
    const storage = storageOf();
    const open = () => createConversation(agentOf(protocol, handler), { persist: { key: "chat", storage, onError: (error) => assert.fail(error) } });
    const questions = questionsOf(60, 200);
    let conversation = open();
    for (const [at, question] of questions.entries()) {
      conversation = at % 10 === 9 ? open() : conversation;
      conversation.send(question);
      const { status, turns } = await conversation.finished();
      assert.deepEqual([status, turns.length], ["done", at + 1]);
      assert.deepEqual(seen.texts, threadOf(questions.slice(0, at + 1)), `turn ${at + 1}`);
    }
  });

  test(`${protocol}: a thread of 1,000 messages is sent whole, directly, by a store, and from a state`, async () => {
    const { seen, handler } = server();
    const agent = agentOf(protocol, handler);
    const first = questionsOf(1, 8)[0];
    const messages = Array.from({ length: 999 }, (_, at) => `message ${at + 1} ${"y".repeat(at % 300)}`);
    const given = {
      "ag-ui": messages.map((content, at) => ({ id: `m${at}`, role: "user", content })),
      "ai-sdk": messages.map((text, at) => ({ id: `m${at}`, role: "user", parts: [{ type: "text", text }] })),
      responses: messages.map((text) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] })),
    }[protocol];
    await agent.send(given).finished();
    const expected = [...messages, `re: ${messages.at(-1)}`, first];
    await agent.send(first).finished();
    assert.deepEqual([agent.status, seen.texts], ["done", expected]);
    const again = agentOf(protocol, handler, { state: JSON.parse(JSON.stringify(agent.state)) });
    await again.send("more").finished();
    assert.deepEqual([again.status, seen.texts], ["done", [...expected, `re: ${first}`, "more"]]);
    const storage = storageOf();
    const conversation = createConversation(again, { persist: { key: "chat", storage } });
    conversation.send("the store");
    await conversation.finished();
    const reloaded = createConversation(agentOf(protocol, handler), { persist: { key: "chat", storage } });
    reloaded.send("the end");
    assert.equal((await reloaded.finished()).status, "done");
    assert.deepEqual(seen.texts, [...expected, `re: ${first}`, "more", "re: more", "the store", "re: the store", "the end"]);
  });

  test(`${protocol}: after a stop and after an error the thread is whole`, async () => {
    const { seen, handler } = server();
    const agent = agentOf(protocol, handler);
    const questions = questionsOf(40, 300);
    for (const question of questions) {
      await agent.send(question).finished();
    }
    const before = [...threadOf(questions), `re: ${questions.at(-1)}`];
    const run = agent.send("wait");
    for await (const { snapshot } of run) {
      if (JSON.stringify(snapshot).includes("re: wait")) {
        break;
      }
    }
    assert.equal(agent.status, "aborted");
    await agent.send("after the stop").finished();
    assert.deepEqual(seen.texts.slice(0, before.length), before);
    assert.ok(seen.texts.includes("wait") && seen.texts.at(-1) === "after the stop");
    await agent.send("fail").finished();
    assert.equal(agent.status, "failed");
    await agent.send("after the error").finished();
    assert.equal(agent.status, "done");
    assert.deepEqual(seen.texts.slice(0, before.length), before);
    assert.deepEqual(seen.texts.filter((text) => text === "after the stop" || text === "re: after the stop").length, 2);
  });
}

test("a limit that would cut the thread is an error of the call, and nothing is sent", async () => {
  const { handler } = server();
  for (const [limits, name] of [[{ messages: 4 }, "messages"], [{ answerBytes: 2_000 }, "answerBytes"], [{ contentBytes: 20 }, "contentBytes"], [{ growth: 1 }, "growth"]]) {
    const { sent, fetch } = reaching(handler);
    const state = { protocol: "ag-ui", id: "t", turns: [] };
    const agent = agentOf("ag-ui", handler, { fetch, read: { limits }, state });
    const thread = Array.from({ length: 2_000 }, (_, at) => ({ id: `m${at}`, role: "user", content: "a text of 30 characters in all" }));
    const expected = { name: "AgentwireError", code: "limit-exceeded", message: new RegExp(`\`messages\`.*\`${name}\` = ${Object.values(limits)[0]}.*raise the limit`) };
    await assert.rejects(agent.send(thread).finished(), expected);
    assert.deepEqual([agent.status, agent.error.code, sent.length], ["failed", "limit-exceeded", 0]);
    const conversation = createConversation(agentOf("ag-ui", handler, { fetch, read: { limits } }));
    conversation.send(thread);
    const { status, error } = await conversation.finished();
    assert.deepEqual([status, error.code, sent.length], ["failed", "limit-exceeded", 0]);
  }
});

test("a response that a limit has cut fails, and its thread is not sent on", async () => {
  for (const protocol of REPEATING) {
    const { seen, handler } = server();
    const storage = storageOf();
    const limits = { contentBytes: 100 };
    const agent = agentOf(protocol, handler, { read: { limits } });
    await agent.send("one").finished();
    const { report } = await agent.send(`two ${"z".repeat(94)}`).finished();
    assert.deepEqual([agent.status, agent.error.code, Object.keys(report.counts)[0]], ["failed", "limit-exceeded", "limit-exceeded"]);
    assert.match(agent.error.message, /content_?bytes.*100.*`limits`/i);
    await agent.send("three").finished();
    // The AI SDK repeats the question of a turn that has failed.
    const whole = () => seen.texts.filter((text) => !text.startsWith("two"));
    assert.deepEqual([agent.status, whole()], ["done", ["one", "re: one", "three"]]);
    const { state } = agent;
    const again = agentOf(protocol, handler, { state: { ...state, turns: JSON.parse(JSON.stringify(state.turns)).slice(0, 2) } });
    await again.send("three").finished();
    assert.deepEqual([again.status, whole()], ["done", ["one", "re: one", "three"]]);

    const open = () => createConversation(agentOf(protocol, handler, { read: { limits } }), { persist: { key: "chat", storage } });
    const conversation = open();
    for (const text of ["one", `two ${"z".repeat(94)}`]) {
      conversation.send(text);
      await conversation.finished();
    }
    assert.deepEqual([conversation.getSnapshot().status, conversation.getSnapshot().error.code], ["failed", "limit-exceeded"]);
    const reloaded = open();
    reloaded.send("three");
    await reloaded.finished();
    assert.deepEqual([reloaded.getSnapshot().status, whole()], ["done", ["one", "re: one", "three"]]);
  }
});
