import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder, stringifyJson } from "agentwire";
import { cases } from "../support/cases.mjs";
import { Events, concat, message, part, pushed, shortRun } from "../support/events.mjs";

test("an update does not change after it was returned", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const seen = shortRun().map((chunk) => {
    const update = pushed(decoder, chunk);
    return { update, then: structuredClone(update) };
  });
  decoder.finish();
  for (const { update, then } of seen) {
    assert.deepEqual(update, then);
  }
  assert.deepEqual(
    seen.map(({ update: { snapshot } }) => snapshot.output[0].content[0]?.text),
    [undefined, "He", "Hello", "Hello", "Hello", "Hello"],
  );
});

test("an update is plain data", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const update = pushed(decoder, concat(shortRun()));
  assert.equal(Object.getPrototypeOf(update), Object.prototype);
  const members = Object.entries(Object.getOwnPropertyDescriptors(update));
  assert.deepEqual(members.map(([name]) => name).sort(), [
    "changes",
    "isFinal",
    "protocol",
    "snapshot",
    "toolCalls",
    "violations",
  ]);
  assert.ok(members.every(([, { get }]) => get === undefined));
  const { snapshot } = update;
  assert.equal(Object.getPrototypeOf(snapshot), Object.prototype);
  assert.ok(Array.isArray(snapshot.output));
  assert.deepEqual(JSON.parse(JSON.stringify(snapshot)), structuredClone(snapshot));
  decoder.free();
});

test("unchanged values keep their identity, and changed ones and their ancestors get a new one", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const before = pushed(
    decoder,
    concat([
      events.opening("a"),
      events.text("a", 0, "one"),
      events.text("a", 1, "two"),
      events.message("b", "in_progress", { type: "function_call" }),
      events.data("b", 0, { call_id: "c", name: "f", arguments: "{" }),
    ]),
  );
  const first = before.snapshot;
  const { snapshot: second, toolCalls } = pushed(decoder, events.text("a", 1, "!"));
  assert.notEqual(second, first);
  assert.notEqual(second.output, first.output);
  assert.notEqual(second.output[0], first.output[0]);
  assert.notEqual(second.output[0].content, first.output[0].content);
  assert.equal(second.output[0].content[0], first.output[0].content[0]);
  assert.notEqual(second.output[0].content[1], first.output[0].content[1]);
  assert.equal(second.output[1], first.output[1]);
  assert.equal(toolCalls, before.toolCalls);

  const third = pushed(decoder, events.message("a", "completed")).snapshot;
  assert.equal(third.output[1], second.output[1]);
  const fourth = pushed(decoder, events.data("b", 0, { arguments: "}" }));
  assert.equal(fourth.snapshot.output[0], third.output[0]);
  assert.notEqual(fourth.snapshot.output[1].content[0].data, third.output[1].content[0].data);
  assert.equal(third.output[1].content[0].data.arguments, "{");
  assert.equal(fourth.toolCalls, toolCalls);
  decoder.free();
});

test("a chunk without changes yields no update and keeps the snapshot", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const { snapshot } = pushed(decoder, events.opening());
  for (const idle of [": heartbeat\n\n", "", ": ".padEnd(1000, "x"), "\n\nretry: 7\n\n"]) {
    assert.equal(decoder.push(new TextEncoder().encode(idle)), false);
    assert.equal(decoder.update(), undefined);
  }
  assert.equal(decoder.snapshot, snapshot);
  decoder.free();
});

test("repeated values keep their identity", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const members = { metadata: { a: [1] }, usage: { tokens: 3 }, code: "c", trace: "x" };
  decoder.push(
    concat([
      events.opening("m"),
      events.text("m", 0, "a"),
      events.text("m", 0, ""),
      events.message("m", "completed", { ...members, content: [part("a")] }),
      events.message("n", "in_progress"),
    ]),
  );
  const before = decoder.snapshot;
  const { sequence_number } = before.output[0];
  decoder.push(events.end([message("m", [part("a")], { ...members, sequence_number })]));
  const { snapshot: response } = decoder.finish();
  assert.equal(response.output[0], before.output[0]);
  assert.equal(response.output[1], before.output[1]);
  assert.equal(response.output, before.output);
  assert.equal(response.status, "completed");
});

test("no recorded stream changes a returned update", async () => {
  for (const { name, stream } of await cases()) {
    const decoder = new Decoder({ protocol: "agent-api" });
    const seen = new Map();
    for (let at = 0; at < stream.length; at += 97) {
      const update = pushed(decoder, stream.subarray(at, at + 97));
      if (update !== undefined) {
        seen.set(update, stringifyJson(update));
      }
    }
    decoder.finish();
    for (const [value, then] of seen) {
      assert.equal(stringifyJson(value), then, name);
    }
  }
});

test("an update covers all chunks since the previous update", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  assert.equal(decoder.push(events.opening()), true);
  assert.equal(decoder.push(events.text("m", 0, "a")), true);
  const one = decoder.update();
  assert.equal(decoder.update(), undefined);
  decoder.push(events.text("m", 0, "b"));
  decoder.push(events.text("x", 0, "c"));
  const two = decoder.update();
  assert.equal(one.snapshot.output[0].content[0].text, "a");
  assert.equal(two.snapshot.output[0].content[0].text, "ab");
  assert.deepEqual(two.changes, [
    { kind: "append", path: ["output", 0, "content", 0, "text"], from: 1 },
    { kind: "add", path: ["output", 1] },
  ]);
  assert.deepEqual(
    two.violations.map(({ rule, messageId }) => [rule, messageId]),
    [["content-before-message", "x"]],
  );
  decoder.finish();
  assert.equal(decoder.update().snapshot, decoder.snapshot);
  assert.equal(decoder.update(), undefined);
});

test("the snapshot is available before the first byte and after the last", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  assert.deepEqual(decoder.snapshot, {
    sequence_number: null,
    object: "response",
    status: "created",
    error: null,
    id: "",
    created_at: null,
    completed_at: null,
    output: [],
    usage: null,
    session_id: null,
  });
  assert.deepEqual(decoder.toolCalls, []);
  const { snapshot: response } = decoder.finish();
  assert.equal(response.status, "incomplete");
  assert.equal(decoder.snapshot, response);
});

test("messages are sorted in the order of the final output", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const { snapshot } = pushed(
    decoder,
    concat([
      events.opening("a"),
      events.message("b", "in_progress"),
      events.message("c", "in_progress"),
      events.text("a", 0, "A"),
      events.text("b", 0, "B"),
      events.message("b", "completed"),
      events.message("a", "completed"),
    ]),
  );
  pushed(decoder, events.end([message("b", null), message("a", null)]));
  const { snapshot: response } = decoder.finish();
  assert.deepEqual(
    response.output.map(({ id }) => id),
    ["b", "a", "c"],
  );
  assert.deepEqual(
    snapshot.output.map(({ id }) => id),
    ["a", "b", "c"],
  );
  assert.equal(response.output[0].content[0].text, "B");
});

test("a content keeps its identity when contents before it are added or removed", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(concat([events.opening(), events.text("m", 2, "c"), events.text("m", 0, "a")]));
  const first = decoder.snapshot;
  decoder.push(concat([events.text("m", 1, "b"), events.text("m", 2, "C")]));
  const second = decoder.snapshot;
  assert.deepEqual(
    second.output[0].content.map(({ text }) => text),
    ["a", "b", "cC"],
  );
  assert.deepEqual(
    first.output[0].content.map(({ text }) => text),
    ["a", "c"],
  );
  assert.equal(second.output[0].content[0], first.output[0].content[0]);
  // While the message continues, a part that it does not list may be listed later.
  decoder.push(events.message("m", "in_progress", { content: [part("a", 0), part("cC", 2)] }));
  assert.equal(decoder.snapshot.output[0].content.length, 3);
  decoder.push(events.message("m", "completed", { content: [part("a", 0), part("cC", 2)] }));
  const { snapshot: response } = decoder.finish();
  assert.deepEqual(
    response.output[0].content.map(({ text }) => text),
    ["a", "cC"],
  );
  assert.equal(second.output[0].content.length, 3);
});

test("long texts are complete for all characters", () => {
  for (const text of [
    "x".repeat(200_000),
    "日本語🙂".repeat(20_000),
    "é".repeat(49_152) + "🙂".repeat(12_288),
  ]) {
    const events = new Events();
    const decoder = new Decoder({ protocol: "agent-api" });
    decoder.push(events.opening());
    decoder.push(events.text("m", 0, "short "));
    const { snapshot } = pushed(decoder, events.text("m", 0, text));
    assert.ok(snapshot.output[0].content[0].text === `short ${text}`);
    decoder.free();
  }
});

test("100,000 deltas to one of 10,000 messages change only the identity of that message", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(concat([events.response("created"), events.response("in_progress")]));
  for (let at = 0; at < 10_000; at++) {
    decoder.push(events.message(`m${at}`, "in_progress"));
  }
  const before = decoder.snapshot;
  for (let at = 0; at < 100_000; at++) {
    decoder.push(events.text("m5000", 0, "ab"));
  }
  const after = decoder.snapshot;
  assert.equal(after.output[5000].content[0].text.length, 200_000);
  assert.equal(after.output[4999], before.output[4999]);
  assert.equal(after.output.filter((message, at) => message !== before.output[at]).length, 1);
  decoder.free();
});
