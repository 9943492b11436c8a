import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "agentwire";
import { Events, concat, message, part } from "./events.mjs";

const response = { messageId: null, index: null, from: null };
const ofMessage = (messageId) => ({ messageId, index: null, from: null });
const content = (messageId, index, from) => ({ messageId, index, from });

/** A decoder that has read the opening of message m, and the stream's next events. */
function opened() {
  const events = new Events();
  const decoder = new Decoder();
  const first = decoder.push(events.opening());
  return { events, decoder, first };
}

test("the response and its messages are named", () => {
  const { events, decoder, first } = opened();
  assert.deepEqual(first.changes, [response, ofMessage("m")]);
  assert.deepEqual(decoder.push(events.message("m", "failed")).changes, [ofMessage("m")]);
  assert.deepEqual(decoder.push(events.end([])).changes, [response]);
  decoder.free();
});

test("a text says from where on it is new", () => {
  const { events, decoder } = opened();
  assert.deepEqual(decoder.push(events.text("m", 0, "日本")).changes, [ofMessage("m"), content("m", 0, 0)]);
  assert.deepEqual(decoder.push(events.text("m", 0, "🙂")).changes, [content("m", 0, 2)]);
  const both = decoder.push(concat([events.text("m", 0, "a"), events.text("m", 0, "b")]));
  assert.deepEqual(both.changes, [content("m", 0, 4)]);
  assert.equal(both.snapshot.output[0].content[0].text.slice(4), "ab");
  decoder.free();
});

test("a text that is only ended is new from its end on", () => {
  const { events, decoder } = opened();
  decoder.push(events.text("m", 0, "abc"));
  const { changes } = decoder.push(events.whole("m", 0, { type: "text", text: "abc" }));
  assert.deepEqual(changes, [content("m", 0, 3)]);
  decoder.free();
});

test("a text that is replaced is new from its beginning", () => {
  const { events, decoder } = opened();
  decoder.push(events.text("m", 0, "abc"));
  const { changes } = decoder.push(events.whole("m", 0, { type: "text", text: "abx" }));
  assert.deepEqual(changes, [content("m", 0, 0)]);
  decoder.free();
});

test("what stands for a text says it too, data does not", () => {
  const { events, decoder } = opened();
  decoder.push(
    concat([
      events.whole("m", 0, { type: "image", delta: true, status: "in_progress", image_url: "data:image/png," }),
      events.whole("m", 1, { type: "refusal", delta: true, status: "in_progress", refusal: "No" }),
      events.data("m", 2, { a: "x" }),
    ]),
  );
  const { changes } = decoder.push(
    concat([
      events.whole("m", 1, { type: "refusal", delta: true, status: "in_progress", refusal: "." }),
      events.data("m", 2, { a: "y" }),
    ]),
  );
  assert.deepEqual(changes, [content("m", 1, 2), content("m", 2, null)]);
  decoder.free();
});

test("the same thing is named once per chunk, in the order of the first change", () => {
  const { events, decoder } = opened();
  decoder.push(concat([events.text("m", 0, "a"), events.text("m", 1, "b")]));
  const { changes } = decoder.push(
    concat([events.text("m", 1, "B"), events.text("m", 0, "A"), events.text("m", 1, "!")]),
  );
  assert.deepEqual(changes, [content("m", 1, 1), content("m", 0, 1)]);
  decoder.free();
});

test("changes may be read late", () => {
  const { events, decoder } = opened();
  const one = decoder.push(events.text("m", 0, "a"));
  const two = decoder.push(events.text("m", 0, "b"));
  decoder.push(events.text("m", 0, "c"));
  decoder.finish();
  assert.deepEqual(one.changes, [ofMessage("m"), content("m", 0, 0)]);
  assert.deepEqual(two.changes, [content("m", 0, 1)]);
  assert.equal(two.changes, two.changes);
});

test("an end that only repeats what was streamed changes no content", () => {
  const { events, decoder } = opened();
  decoder.push(events.text("m", 0, "abc"));
  decoder.push(events.whole("m", 0, { type: "text", text: "abc" }));
  decoder.push(events.message("m", "completed", { content: [part("abc")] }));
  const before = decoder.response;
  const { changes, snapshot, ended } = decoder.push(events.end([message("m", [part("abc")])]));
  assert.ok(ended);
  assert.deepEqual(changes.filter(({ index }) => index !== null), []);
  assert.equal(snapshot.output[0].content, before.output[0].content);
  decoder.free();
});

test("a chunk larger than the input buffer is one update", () => {
  const { events, decoder } = opened();
  const texts = Array.from({ length: 3000 }, () => events.text("m", 0, "0123456789"));
  const { changes, snapshot } = decoder.push(concat(texts));
  assert.deepEqual(changes, [ofMessage("m"), content("m", 0, 0)]);
  assert.equal(snapshot.output[0].content[0].text.length, 30_000);
  decoder.free();
});
