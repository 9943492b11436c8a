// Unchanged messages and parts are the same objects, over a long thread and in each update; an
// update costs as much as what changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROTOCOLS, opened, textOf } from "./agents.mjs";
import { bodyOf, server } from "./network.mjs";
import { watch } from "./watch.mjs";

for (const [protocol, { hasTools }] of Object.entries(PROTOCOLS)) {
  test(`${protocol}: messages of a long chat stay the same objects`, async () => {
    const tools = hasTools ? { paint: { execute: () => "painted" } } : undefined;
    const { chat } = opened(protocol, { tools });
    const watched = watch(chat);
    let before = [];
    for (let turn = 0; turn < 40; turn++) {
      await chat.send(`Message ${turn}.`).finished();
      const { messages } = chat.getSnapshot();
      assert.equal(messages.length, before.length + 2);
      assert.ok(
        before.every((message, at) => messages[at] === message),
        `turn ${turn}`,
      );
      before = messages;
    }
    if (hasTools) {
      await chat.send("Paint it.").finished();
      assert.ok(before.every((message, at) => chat.getSnapshot().messages[at] === message));
    }
    // The state is the same object until the next notification.
    assert.equal(chat.getSnapshot(), chat.getSnapshot());
    assert.equal(watched.end().at(-1), chat.getSnapshot());
  });

  test(`${protocol}: while an answer arrives, only its message changes`, async () => {
    const { handler } = server({
      async answer(out) {
        const message = out.message().text();
        for (let at = 0; at < 40; at++) {
          await message.delta(`word${at} `);
        }
      },
    });
    const { chat } = opened(protocol, {
      fetch: async (request) => {
        const response = await handler(request);
        return new Response(bodyOf((await response.text()).split(/(?<=\n\n)/).filter(Boolean)), {
          headers: response.headers,
        });
      },
    });
    for (let turn = 0; turn < 5; turn++) {
      await chat.send(`Message ${turn}.`).finished();
    }
    const before = chat.getSnapshot().messages;
    let updates = 0;
    const lengths = [];
    for await (const { messages } of chat.send("The last one.")) {
      updates++;
      assert.ok(before.every((message, at) => messages[at] === message));
      if (messages.length > before.length + 1) {
        lengths.push(textOf(messages.at(-1)).length);
      }
    }
    assert.ok(updates > 5, `${updates} updates`);
    assert.deepEqual(
      lengths,
      [...lengths].sort((one, other) => one - other),
    );
  });
}

test("AG-UI: an update in a thread of 1,000 messages costs little more than in a short one", async () => {
  const cost = async (count) => {
    const messages = Array.from({ length: count }, (_, at) => ({
      id: `m${at}`,
      role: at % 2 === 0 ? "user" : "assistant",
      parts: [{ type: "text", text: `message ${at} `.repeat(5) }],
      status: "done",
    }));
    const frames = (body) => [
      { type: "RUN_STARTED", threadId: body.threadId, runId: body.runId },
      { type: "TEXT_MESSAGE_START", messageId: "a", role: "assistant" },
      ...Array.from({ length: 600 }, () => ({
        type: "TEXT_MESSAGE_CONTENT",
        messageId: "a",
        delta: "word ",
      })),
      { type: "TEXT_MESSAGE_END", messageId: "a" },
      { type: "RUN_FINISHED", threadId: body.threadId, runId: body.runId },
    ];
    let begun;
    let updates = 0;
    const { chat } = opened("ag-ui", {
      messages,
      fetch: async (request) =>
        new Response(
          bodyOf(frames(await request.json()).map((event) => `data: ${JSON.stringify(event)}\n\n`)),
          { headers: { "content-type": "text/event-stream" } },
        ),
    });
    chat.subscribe(() => updates++);
    for await (const { status } of chat.send("Go.")) {
      begun ??= status === "streaming" ? process.cpuUsage() : undefined;
    }
    const { user, system } = process.cpuUsage(begun);
    assert.ok(updates > 100, `${updates} updates`);
    return (user + system) / updates;
  };
  await cost(10);
  const [short, long] = [await cost(10), await cost(1_000)];
  assert.ok(long < short * 4 + 200, `${short.toFixed()} and ${long.toFixed()} µs for an update`);
});
