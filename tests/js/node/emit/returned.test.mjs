// Agents that return their answer instead of writing it, and that write text in one step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequest } from "agentwire/ag-ui";
import { createHandler } from "agentwire/server";
import { run, texts } from "../support/runs.mjs";

const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
const CHAT = `${event({ choices: [{ index: 0, delta: { content: "Hello!" }, finish_reason: "stop" }] })}data: [DONE]\n\n`;
const response = () => new Response(CHAT, { headers: { "content-type": "text/event-stream" } });
const streamOf = (...items) =>
  new ReadableStream({
    start(controller) {
      items.forEach((item) => controller.enqueue(item));
      controller.close();
    },
  });
const AG_UI = [
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello!" },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" },
];

const ANSWERS = {
  "a text": () => "Hello!",
  "the promise of a text": async () => "Hello!",
  "an async generator": async function* () {
    yield "Hel";
    yield "lo!";
  },
  "a generator": function* () {
    yield "Hel";
    yield "lo!";
  },
  "a stream of texts": () => streamOf("Hel", "lo!"),
  "an async iterable that is no generator": () => ({
    async *[Symbol.asyncIterator]() {
      yield "Hello!";
    },
  }),
  "a response": () => response(),
  "the promise of a response": async () => response(),
  "a stream of bytes": () => response().body,
  "an iterable of bytes": async function* () {
    yield new TextEncoder().encode(CHAT.slice(0, 20));
    yield new TextEncoder().encode(CHAT.slice(20));
  },
  "an iterable of events": async function* () {
    yield* AG_UI;
  },
  "a stream of events": () => streamOf(...AG_UI),
};
for (const [what, agent] of Object.entries(ANSWERS)) {
  test(`an agent may return ${what}`, async () => {
    const errors = [];
    const { snapshot } = await run(agent, { onError: (error) => void errors.push(error) });
    assert.deepEqual([snapshot.status, texts(snapshot), errors], ["completed", [["Hello!"]], []]);
  });
}

test("a generator may write, too", async () => {
  const { snapshot } = await run(async function* (out) {
    await out.reasoning().delta("hm");
    yield "Hello!";
  });
  assert.deepEqual(
    snapshot.output.map(({ type, content }) => [type, content[0].text]),
    [
      ["reasoning", "hm"],
      ["message", "Hello!"],
    ],
  );
});

test("a generator that throws fails the run after what it has yielded", async () => {
  const errors = [];
  const { snapshot } = await run(
    async function* () {
      yield "Hello!";
      throw new Error("secret");
    },
    { onError: (error) => void errors.push(error.message) },
  );
  assert.deepEqual([snapshot.status, texts(snapshot)], ["failed", [["Hello!"]]]);
  assert.deepEqual(errors, ["secret"]);
});

test("a generator ends when its client leaves", async () => {
  let ended;
  const isEnded = new Promise((resolve) => (ended = resolve));
  const handler = createHandler({
    async *agent() {
      try {
        for (;;) {
          yield "Hello!";
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        ended();
      }
    },
  });
  const { body } = await handler(createRequest("http://localhost/ag-ui", "Hi"));
  const reader = body.getReader();
  await reader.read();
  await reader.cancel();
  await isEnded;
});

test("out.text() appends to one message, and starts another one after other content", async () => {
  const { snapshot } = await run(async (out) => {
    await out.text("a");
    await out.text("b");
    await out.tool("f").arguments("{}");
    await out.text("c");
    await out.message().text().delta("d");
    await out.text("e");
  });
  const messages = snapshot.output.filter(({ type }) => type === "message");
  assert.deepEqual(
    messages.map(({ content }) => content.map(({ text }) => text)),
    [["ab"], ["c"], ["d"], ["e"]],
  );
});

test("out.text() takes a text, and nothing after the end", async () => {
  const codes = [];
  let writer;
  const { snapshot } = await run(
    async (out) => {
      writer = out;
      await out.text("a");
      await out.text(5).catch(({ code }) => codes.push(code));
    },
    { onError: () => {} },
  );
  await writer.text("late").catch(({ code }) => codes.push(code));
  assert.deepEqual([codes, texts(snapshot)], [["wrong-argument", "ended"], [["a"]]]);
});
