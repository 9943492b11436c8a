// The cost of a long chat: memory and storage grow with its messages only, and nothing of a run
// stays.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { settled } from "../support/sources.mjs";
import { PROTOCOLS, handler, opened, storageOf } from "./agents.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

async function heap() {
  for (let time = 0; time < 3; time++) {
    collect();
    await settled();
  }
  return process.memoryUsage().heapUsed;
}

const QUESTION = "question ".repeat(20);

/** Sends so many messages, as a component that is shown and goes. */
async function talk(chat, count) {
  for (let turn = 0; turn < count; turn++) {
    const leave = chat.subscribe(() => {});
    await chat.send(QUESTION).finished();
    leave();
  }
}

for (const protocol of Object.keys(PROTOCOLS)) {
  test(`${protocol}: a hundred messages keep their snapshots, but no run, signal or body`, async () => {
    const [signals, bodies, aborts] = [[], [], new AbortController()];
    const { chat } = opened(protocol, {
      async fetch(request) {
        signals.push(new WeakRef(request.signal));
        const response = await handler(request);
        bodies.push(new WeakRef(response));
        return response;
      },
    });
    await talk(chat, 50);
    await chat.send("with a signal", { signal: aborts.signal }).finished();
    const before = await heap();
    await talk(chat, 100);
    const growth = ((await heap()) - before) / 100;
    assert.equal(chat.getSnapshot().messages.length, 302);
    // A question and an answer of 200 characters, their messages and their snapshot with its
    // request.
    assert.ok(growth < 24_000, `${growth} bytes per message`);
    const alive = (references) =>
      references.filter((reference) => reference.deref() !== undefined).length;
    assert.ok(
      alive(signals) <= 3 && alive(bodies) <= 3,
      `${alive(signals)} signals and ${alive(bodies)} bodies of 151`,
    );
    const first = new WeakRef(chat.getSnapshot().messages[1]);
    chat.clear();
    await heap();
    assert.equal(first.deref(), undefined, "a cleared message is freed");
  });

  // The other protocols that repeat the thread keep each answer once in any case.
  if (protocol === "ag-ui") {
    test(`${protocol}: memory and stored size are linear at 100, 200 and 400 messages`, async () => {
      const storage = storageOf();
      const { chat } = opened(protocol, { fetch: handler, persist: { key: "chat", storage } });
      const [sizes, heaps] = [[], []];
      for (const count of [100, 100, 200]) {
        await talk(chat, count);
        sizes.push(storage.items.get("chat").length);
        heaps.push(await heap());
      }
      const perMessage = [(sizes[1] - sizes[0]) / 100, (sizes[2] - sizes[1]) / 200];
      assert.ok(
        perMessage[1] < perMessage[0] * 1.1,
        `${perMessage.map(Math.round)} characters per message`,
      );
      const growth = [(heaps[1] - heaps[0]) / 100, (heaps[2] - heaps[1]) / 200];
      assert.ok(
        growth[1] < Math.max(growth[0], 8_000) * 1.5,
        `${growth.map(Math.round)} bytes per message`,
      );
    });
  }
}

test("a signal that outlives its messages keeps nothing of them", async () => {
  const controller = new AbortController();
  const { chat } = opened("ag-ui");
  let first;
  for (let turn = 0; turn < 50; turn++) {
    await chat.send(QUESTION, { signal: controller.signal }).finished();
    first ??= new WeakRef(chat.getSnapshot().messages[0]);
  }
  assert.ok(
    getEventListeners(controller.signal, "abort").length <= 1,
    `${getEventListeners(controller.signal, "abort").length} listeners`,
  );
  chat.clear();
  await heap();
  assert.equal(first.deref(), undefined);
});
