// The effect of the consumer's speed on a run: back-pressure and heartbeats.
import assert from "node:assert/strict";
import { test } from "node:test";
import { respond } from "agentwire/server";
import { nobody, run, texts } from "../support/runs.mjs";
import { settled } from "../support/sources.mjs";

test("a slow consumer slows the agent down", async () => {
  let sent = 0;
  const answer = respond(nobody, { protocol: "agent-api" }, async (out) => {
    const text = out.message().text();
    for (let at = 0; at < 200; at++) {
      await text.delta("x".repeat(1000));
      sent++;
    }
  });
  const reader = answer.body.getReader();
  await settled();
  const first = sent;
  assert.ok(first > 5 && first < 20, `${first} chunks were sent before the first read`);
  await settled();
  assert.equal(sent, first);
  for (let at = 0; at < 10; at++) {
    await reader.read();
  }
  await settled();
  assert.ok(
    sent > first && sent < first + 12,
    `${sent} chunks were sent after ten reads, ${first} before`,
  );
  while (!(await reader.read()).done);
  assert.equal(sent, 200);
});

test("heartbeats are sent only while the consumer waits, and only between events", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let say;
  const answer = respond(nobody, { protocol: "agent-api", heartbeatMs: 1000 }, async (out) => {
    const text = out.message().text();
    for (;;) {
      const word = await new Promise((resolve) => (say = resolve));
      if (word === undefined) {
        return;
      }
      await text.delta(word);
    }
  });
  const decoder = new TextDecoder();
  let read = "";
  const pumping = answer.body.pipeTo(
    new WritableStream({ write: (chunk) => void (read += decoder.decode(chunk)) }),
  );
  const heartbeats = () => read.split(": heartbeat\n\n").length - 1;
  await turn();
  context.mock.timers.tick(999);
  await turn();
  assert.equal(heartbeats(), 0);
  context.mock.timers.tick(1);
  await turn();
  assert.equal(heartbeats(), 1);
  context.mock.timers.tick(500);
  say("hello");
  await turn();
  // Every event restarts the interval.
  context.mock.timers.tick(999);
  await turn();
  assert.equal(heartbeats(), 1);
  for (let more = 0; more < 3; more++) {
    context.mock.timers.tick(1000);
    await turn();
  }
  assert.equal(heartbeats(), 4);
  say(undefined);
  await pumping;
  context.mock.timers.tick(10_000);
  await turn();
  assert.equal(heartbeats(), 4);
  for (const frame of read.split("\n\n").slice(0, -1)) {
    assert.ok(frame === ": heartbeat" || /^data: \{.*\}$/.test(frame), frame);
  }
});

test("no heartbeats are queued for a consumer that does not read", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let out;
  const answer = respond(nobody, { protocol: "agent-api", heartbeatMs: 1000 }, async (given) => {
    out = given;
    void out.message().text().delta("x".repeat(20_000));
    await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
  });
  for (let more = 0; more < 5; more++) {
    context.mock.timers.tick(1000);
    await turn();
  }
  let text = "";
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  for (let chunk = 0; chunk < 3; chunk++) {
    text += decoder.decode((await reader.read()).value);
  }
  assert.doesNotMatch(text, /heartbeat/);
  await reader.cancel();
});

test("`heartbeatMs: 0` disables heartbeats", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answer = respond(nobody, { protocol: "agent-api", heartbeatMs: 0 }, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    context.mock.timers.tick(1_000_000);
  });
  assert.doesNotMatch(await answer.text(), /heartbeat/);
});

test("a run of 10,000 tokens is complete", async () => {
  const { snapshot: response } = await run(async (out) => {
    const text = out.message().text();
    for (let at = 0; at < 10_000; at++) {
      await text.delta(`${at} `);
    }
  });
  assert.equal(texts(response)[0][0].length, 48_890);
});

test("a run with 1,000 messages is complete", async () => {
  const { snapshot: response } = await run(async (out) => {
    for (let at = 0; at < 1000; at++) {
      await out.message().text().delta(`${at}`);
    }
  });
  assert.equal(response.output.length, 1000);
});
