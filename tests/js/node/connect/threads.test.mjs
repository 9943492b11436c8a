// Long conversations in the protocols whose requests repeat the thread: the server receives every
// message.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lastText, opened, reaching, storageOf, textOf } from "./agents.mjs";
import { server } from "./network.mjs";

const REPEATING = ["ag-ui", "ai-sdk", "responses"];

/**
 * A server that repeats each question, and what its agent received last: the texts of all messages.
 */
function repeating() {
  const { handler, received } = server({
    async answer(out, request) {
      const { input } = request.toJSON();
      const question = input.at(-1).content[0].text;
      const message = out.message().text();
      await message.delta(`re: ${question}`);
      if (question.startsWith("wait")) {
        await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
      }
      if (question.startsWith("fail")) {
        throw new Error("the agent has failed");
      }
    },
  });
  return { handler, last: () => received.at(-1) };
}

/** The texts of a thread after these questions. */
const threadOf = (questions) =>
  questions.flatMap((text, at) => (at === questions.length - 1 ? [text] : [text, `re: ${text}`]));

const questionsOf = (count, length) =>
  Array.from({ length: count }, (_, at) => `fact ${at + 1} `.padEnd(length, "x"));

for (const protocol of REPEATING) {
  for (const length of [8, 400]) {
    test(`${protocol}: the server receives 60 turns with questions of ${length} characters`, async () => {
      const { handler, last } = repeating();
      const { fetch, sent } = reaching(handler);
      const { chat } = opened(protocol, { fetch });
      const questions = questionsOf(60, length);
      for (const [at, question] of questions.entries()) {
        const { status, report } = await chat.send(question).finished();
        assert.deepEqual([status, report.counts], ["ready", {}], `turn ${at + 1}`);
        assert.deepEqual(last(), threadOf(questions.slice(0, at + 1)), `turn ${at + 1}`);
      }
      assert.deepEqual([sent.length, chat.getSnapshot().messages.length], [60, 120]);
    });
  }

  test(`${protocol}: a chat that is reloaded every tenth turn sends every message`, async () => {
    const { handler, last } = repeating();
    const storage = storageOf();
    const open = () =>
      opened(protocol, {
        fetch: handler,
        persist: { key: "chat", storage, onError: (error) => assert.fail(error) },
      }).chat;
    const questions = questionsOf(60, 200);
    let chat = open();
    for (const [at, question] of questions.entries()) {
      chat = at % 10 === 9 ? open() : chat;
      const { status, messages } = await chat.send(question).finished();
      assert.deepEqual([status, messages.length], ["ready", 2 * (at + 1)]);
      assert.deepEqual(last(), threadOf(questions.slice(0, at + 1)), `turn ${at + 1}`);
    }
  });

  test(`${protocol}: a thread of 1,000 messages is sent whole, from the option \`messages\` and from a storage`, async () => {
    const { handler, last } = repeating();
    const texts = Array.from(
      { length: 1_000 },
      (_, at) => `message ${at + 1} ${"y".repeat(at % 300)}`,
    );
    const messages = texts.map((text, at) => ({
      id: `m${at}`,
      role: at % 2 === 0 ? "user" : "assistant",
      parts: [{ type: "text", text }],
      status: "done",
    }));
    const storage = storageOf();
    const options = {
      fetch: handler,
      messages,
      persist: { key: "chat", storage, onError: (error) => assert.fail(error) },
    };
    const { chat } = opened(protocol, options);
    await chat.send("first").finished();
    const expected = [...texts, "first"];
    assert.deepEqual(
      [
        chat.getSnapshot().status,
        last().length,
        last().findIndex((text, at) => text !== expected[at]),
      ],
      ["ready", 1_001, -1],
    );
    await chat.send("more").finished();
    assert.deepEqual(
      [chat.getSnapshot().messages.length, last().length, last().slice(-3)],
      [1_004, 1_003, ["first", "re: first", "more"]],
    );
    const reloaded = opened(protocol, options).chat;
    const idsOf = ({ messages }) => messages.map(({ id }) => id).join();
    assert.ok(idsOf(reloaded.getSnapshot()) === idsOf(chat.getSnapshot()), "the same messages");
    const { status } = await reloaded.send("the end").finished();
    assert.deepEqual(
      [status, last().length, last().slice(-3)],
      ["ready", 1_005, ["more", "re: more", "the end"]],
    );
  });

  test(`${protocol}: after a stop and after an error the thread is whole`, async () => {
    const { handler, last } = repeating();
    const { chat } = opened(protocol, { fetch: handler });
    const questions = questionsOf(40, 300);
    for (const question of questions) {
      await chat.send(question).finished();
    }
    const before = [...threadOf(questions), `re: ${questions.at(-1)}`];
    for await (const state of chat.send("wait")) {
      if (lastText(state) === "re: wait") {
        chat.stop();
      }
    }
    assert.equal(chat.getSnapshot().messages.at(-1).status, "stopped");
    await chat.send("after the stop").finished();
    assert.deepEqual(last(), [...before, "wait", "re: wait", "after the stop"]);
    await chat.send("fail").finished();
    assert.equal(chat.getSnapshot().status, "error");
    await chat.send("after the error").finished();
    assert.equal(chat.getSnapshot().status, "ready");
    assert.deepEqual(last(), [
      ...before,
      "wait",
      "re: wait",
      "after the stop",
      "re: after the stop",
      "fail",
      "re: fail",
      "after the error",
    ]);
  });
}

test("a limit that would cut the thread is an error of the run, and nothing is sent", async () => {
  const { handler } = repeating();
  for (const [limits, name] of [
    [{ messages: 4 }, "messages"],
    [{ answerBytes: 2_000 }, "answerBytes"],
    [{ contentBytes: 20 }, "contentBytes"],
    [{ growth: 1 }, "growth"],
  ]) {
    const { sent, fetch } = reaching(handler);
    const messages = Array.from({ length: 2_000 }, (_, at) => ({
      id: `m${at}`,
      role: "user",
      parts: [{ type: "text", text: "a text of 30 characters in all" }],
      status: "done",
    }));
    const { chat } = opened("ag-ui", { fetch, read: { limits }, messages });
    const { status, error } = await chat.send("more").finished();
    assert.deepEqual([status, error.code, sent.length], ["error", "limit-exceeded", 0]);
    assert.match(
      error.message,
      new RegExp(`\`messages\`.*\`${name}\` = ${Object.values(limits)[0]}.*raise the limit`),
    );
    assert.equal(chat.getSnapshot().messages.length, 2_001);
  }
});

test("an answer that a limit has cut fails, and is not sent on", async () => {
  for (const protocol of REPEATING) {
    const { handler, last } = repeating();
    const { chat } = opened(protocol, {
      fetch: handler,
      read: { limits: { contentBytes: 1_000 } },
    });
    await chat.send("one").finished();
    const question = `two ${"z".repeat(994)}`;
    const { status, error, report } = await chat.send(question).finished();
    assert.deepEqual(
      [status, error.code, Object.keys(report.counts)[0]],
      ["error", "limit-exceeded", "limit-exceeded"],
    );
    assert.match(error.message, /content_?bytes.*1000.*`limits`/i);
    assert.equal(error.remedy, "raise the limit in `read: { limits }`, and try again");
    await chat.send("three").finished();
    assert.deepEqual(
      [chat.getSnapshot().status, last()],
      ["ready", ["one", "re: one", question, "three"]],
      protocol,
    );
  }
});

test("the option `messages` with a message that was stored while it arrived: it is stopped, and its text complete", async () => {
  const part = { type: "text", text: "Half", state: "streaming" };
  const messages = [
    { id: "u", role: "user", parts: [{ type: "text", text: "One." }], status: "sending" },
    { id: "a", role: "assistant", parts: [part], status: "streaming" },
  ];
  const { chat, sent } = opened("ai-sdk", { messages });
  assert.deepEqual(
    chat.getSnapshot().messages.map(({ status, parts }) => [status, parts[0].state]),
    [
      ["stopped", undefined],
      ["stopped", "done"],
    ],
  );
  await chat.send("Two.").finished();
  assert.deepEqual(
    sent[0].body.messages.map((message) => textOf(message)),
    ["One.", "Half", "Two."],
  );
  assert.equal(messages[1].parts[0], part);
});
