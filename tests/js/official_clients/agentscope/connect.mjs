// `connect` at the real service of AgentScope 2: conversations of several turns, whose messages are
// those that the service stores.
//
//     PYTHON=venv/bin/python node tests/js/official_clients/agentscope/connect.mjs
//
// The environment of PYTHON has `agentscope[full]==2.0.11` and `aiosqlite`. The package is built.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "agentwire/agentscope";
import { Service } from "./service.mjs";

let service;
before(async () => {
  service = await Service.start();
});
after(() => service?.stop());

const opened = (options) =>
  connect(`${service.url}/chat/`, {
    agentId: service.agent_id,
    session: { chat_model_config: service.model },
    headers: { "x-user-id": "user" },
    ...options,
  });

/** The messages that the service stores of a session. */
async function stored(session) {
  await delay(300);
  const response = await fetch(
    `${service.url}/sessions/${session}/messages?agent_id=${service.agent_id}`,
    { headers: { "x-user-id": "user" } },
  );
  assert.ok(response.ok, `${response.status}`);
  const { messages } = await response.json();
  return messages;
}

const textsOf = (blocks) =>
  blocks.flatMap(({ type, text }) => (type === "text" && text ? [text] : []));
const told = (messages) =>
  messages.map(({ role, content, parts = content }) => [role, textsOf(parts).join("|")]);

/** Asserts that a chat has the messages of the service, each once. Returns the ids of the replies. */
async function sameAsStored(chat) {
  const { messages, snapshot, report, error } = chat.getSnapshot();
  assert.equal(error, undefined);
  assert.deepEqual(report.violations, []);
  const service = await stored(snapshot.session_id);
  assert.deepEqual(told(messages), told(service));
  assert.equal(new Set(messages.map(({ id }) => id)).size, messages.length, "each id once");
  assert.equal(snapshot.id, service.at(-1).id);
  return service.flatMap(({ role, id }) => (role === "assistant" ? [id] : []));
}

test("a conversation of five turns", async () => {
  const chat = opened();
  const ids = [];
  for (const text of ["text", "thinking", "tool", "two", "unicode"]) {
    const { snapshot } = await chat.send(text).finished();
    ids.push(snapshot.id);
  }
  assert.deepEqual(await sameAsStored(chat), ids);
});

test("a call that the user allows, one that the user refuses, and further turns", async () => {
  const chat = opened();
  const question = () =>
    chat
      .getSnapshot()
      .messages.at(-1)
      .parts.find(({ state }) => state === "approval-requested");
  await chat.send("text").finished();
  await chat.send("confirm").finished();
  assert.equal(question().toolName, "delete");
  chat.approve(question().approval.id);
  await chat.finished();
  assert.equal(question(), undefined);
  await sameAsStored(chat);
  await chat.send("confirm").finished();
  chat.decline(question().approval.id);
  await chat.finished();
  await sameAsStored(chat);
  await chat.send("text").finished();
  await sameAsStored(chat);
});

test("two calls, of which the user is asked one after the other", async () => {
  const chat = opened();
  await chat.send("confirm two").finished();
  for (let asked = 0; asked < 2; asked++) {
    const { parts } = chat.getSnapshot().messages.at(-1);
    const question = parts.find(({ state }) => state === "approval-requested");
    assert.ok(question, `question ${asked}`);
    chat.approve(question.approval.id);
    await chat.finished();
  }
  await sameAsStored(chat);
  const calls = chat
    .getSnapshot()
    .messages.at(-1)
    .parts.filter(({ toolName }) => toolName);
  assert.deepEqual(
    calls.map(({ toolCallId, state }) => [toolCallId, state]),
    [
      ["c1", "output-available"],
      ["c2", "output-available"],
    ],
  );
});

test("a call that the client executes, and a turn after it", async () => {
  let executed = 0;
  const execute = ({ url }) => {
    executed += 1;
    return `opened ${url}`;
  };
  const chat = opened({ tools: { browser: { execute } } });
  await chat.send("external").finished();
  await chat.finished();
  await chat.send("text").finished();
  assert.equal(executed, 1);
  await sameAsStored(chat);
});

test("calls of all kinds in one reply", async () => {
  const chat = opened({ tools: { browser: { execute: () => "a page" } } });
  await chat.send("mixed").finished();
  const { parts } = chat.getSnapshot().messages.at(-1);
  const question = parts.find(({ state }) => state === "approval-requested");
  chat.approve(question.approval.id);
  await chat.finished();
  assert.deepEqual(textsOf(chat.getSnapshot().messages.at(-1).parts), ["All three."]);
  await sameAsStored(chat);
});

test("another message instead of an answer", async () => {
  const chat = opened();
  await chat.send("confirm").finished();
  await chat.send("text").finished();
  const { messages, error } = chat.getSnapshot();
  assert.equal(error, undefined);
  assert.deepEqual(textsOf(messages.at(-1).parts), ["Hello, world!"]);
});

test("the user stops a reply, and says something else", async () => {
  const chat = opened();
  const run = chat.send("slow");
  for await (const { messages } of run) {
    if (textsOf(messages.at(-1).parts).join("").includes("tick")) break;
  }
  chat.stop();
  await chat.finished();
  await chat.send("text").finished();
  const { messages, error } = chat.getSnapshot();
  assert.equal(error, undefined);
  assert.deepEqual(textsOf(messages.at(-1).parts), ["Hello, world!"]);
});

test("an error of the model is the error of the chat, and the next turn has none", async () => {
  const chat = opened();
  await chat.send("error").finished();
  const { error, messages } = chat.getSnapshot();
  assert.ok(error);
  assert.deepEqual(textsOf(messages.at(-1).parts), ["I begin, "]);
  await chat.send("text").finished();
  assert.equal(chat.getSnapshot().error, undefined);
});

test("a chat continues a session that exists", async () => {
  const first = opened();
  await first.send("text").finished();
  const id = first.getSnapshot().snapshot.session_id;
  const second = opened({ id, session: undefined });
  await second.send("tool").finished();
  const { messages, error } = second.getSnapshot();
  assert.equal(error, undefined);
  assert.deepEqual(told(messages), [
    ["user", "tool"],
    ["assistant", "I look.|Sunny, 21 °C."],
  ]);
  assert.equal((await stored(id)).length, 4);
});
