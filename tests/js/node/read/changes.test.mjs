import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder, stringifyJson } from "agentwire";
import { cases } from "../support/cases.mjs";
import { Events, concat, message, part, pushed } from "../support/events.mjs";

const set = (...path) => ({ kind: "set", path });
const add = (...path) => ({ kind: "add", path });
const append = (from, ...path) => ({ kind: "append", path, from });

/** A decoder that has read the opening of message m, and the stream's next events. */
function opened() {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const first = pushed(decoder, events.opening());
  return { events, decoder, first };
}

test("changes contain the paths of the response and its messages", () => {
  const { events, decoder, first } = opened();
  assert.deepEqual(
    first.changes.map(stringifyJson).sort(),
    [add("output", 0), ...["id", "sequence_number", "status"].map((name) => set(name))]
      .map(stringifyJson)
      .sort(),
  );
  const { changes } = pushed(decoder, events.message("m", "failed"));
  assert.deepEqual(changes, [set("output", 0, "sequence_number"), set("output", 0, "status")]);
  assert.ok(pushed(decoder, events.end([])).changes.some(({ path }) => path.join() === "status"));
  decoder.free();
});

test("an append change contains the offset of the new text", () => {
  const { events, decoder } = opened();
  assert.deepEqual(pushed(decoder, events.text("m", 0, "日本")).changes, [
    add("output", 0, "content", 0),
  ]);
  assert.deepEqual(pushed(decoder, events.text("m", 0, "🙂")).changes, [
    append(2, "output", 0, "content", 0, "text"),
  ]);
  const both = pushed(decoder, concat([events.text("m", 0, "a"), events.text("m", 0, "b")]));
  assert.deepEqual(both.changes, [append(4, "output", 0, "content", 0, "text")]);
  assert.equal(both.snapshot.output[0].content[0].text.slice(4), "ab");
  decoder.free();
});

test("completing a text does not report a change of the text", () => {
  const { events, decoder } = opened();
  decoder.push(events.text("m", 0, "abc"));
  decoder.update();
  const { changes } = pushed(decoder, events.whole("m", 0, { type: "text", text: "abc" }));
  assert.ok(changes.some(({ path }) => path.join() === "output,0,content,0,status"));
  assert.ok(!changes.some(({ path }) => path.at(-1) === "text"));
  decoder.free();
});

test("replacing a text is reported as set", () => {
  const { events, decoder } = opened();
  decoder.push(events.text("m", 0, "abc"));
  decoder.update();
  decoder.push(events.text("m", 0, "d"));
  const { changes } = pushed(decoder, events.whole("m", 0, { type: "text", text: "abx" }));
  assert.deepEqual(
    changes.filter(({ path }) => path.at(-1) === "text"),
    [set("output", 0, "content", 0, "text")],
  );
  decoder.free();
});

test("refusals, URLs and texts inside data are reported as appended", () => {
  const { events, decoder } = opened();
  const piece = (index, members) =>
    events.whole("m", index, { delta: true, status: "in_progress", ...members });
  decoder.push(piece(0, { type: "image", image_url: "data:image/png," }));
  decoder.push(piece(1, { type: "refusal", refusal: "No" }));
  decoder.push(events.data("m", 2, { a: "x", list: [1], deep: { n: 1 } }));
  decoder.update();
  decoder.push(piece(1, { type: "refusal", refusal: "." }));
  const { changes } = pushed(
    decoder,
    events.data("m", 2, { a: "y", list: [2], deep: { n: 1, t: "z" } }),
  );
  assert.deepEqual(changes, [
    append(2, "output", 0, "content", 1, "refusal"),
    append(1, "output", 0, "content", 2, "data", "a"),
    append(1, "output", 0, "content", 2, "data", "list"),
    set("output", 0, "content", 2, "data", "deep", "n"),
    set("output", 0, "content", 2, "data", "deep", "t"),
  ]);
  decoder.free();
});

test("many changes inside one value are reported as one change of the value", () => {
  const { events, decoder } = opened();
  const data = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, "x"]));
  decoder.push(events.data("m", 0, data));
  decoder.update();
  assert.deepEqual(pushed(decoder, events.data("m", 0, data)).changes, [
    set("output", 0, "content", 0, "data"),
  ]);
  decoder.free();
});

test("each path is reported once, in the order of the first change", () => {
  const { events, decoder } = opened();
  decoder.push(concat([events.text("m", 0, "a"), events.text("m", 1, "b")]));
  decoder.update();
  const pieces = [events.text("m", 1, "B"), events.text("m", 0, "A"), events.text("m", 1, "!")];
  const { changes } = pushed(decoder, concat(pieces));
  assert.deepEqual(changes, [
    append(1, "output", 0, "content", 1, "text"),
    append(1, "output", 0, "content", 0, "text"),
  ]);
  decoder.free();
});

test("an inserted content is reported as added at its position", () => {
  const { events, decoder } = opened();
  decoder.push(concat([events.text("m", 0, "a"), events.text("m", 2, "c")]));
  decoder.update();
  const { changes, snapshot } = pushed(
    decoder,
    concat([events.text("m", 1, "b"), events.text("m", 2, "C")]),
  );
  assert.deepEqual(changes, [
    add("output", 0, "content", 1),
    append(1, "output", 0, "content", 2, "text"),
  ]);
  assert.deepEqual(
    snapshot.output[0].content.map(({ text }) => text),
    ["a", "b", "cC"],
  );
  decoder.free();
});

test("a reordered list is reported as set", () => {
  const { events, decoder } = opened();
  decoder.push(events.message("n", "completed"));
  decoder.push(events.message("m", "completed"));
  decoder.update();
  const { changes } = pushed(decoder, events.end([message("n", null), message("m", null)]));
  assert.ok(changes.some(({ kind, path }) => kind === "set" && path.join() === "output"));
  decoder.free();
});

test("a final event that repeats the streamed content reports no content change", () => {
  const { events, decoder } = opened();
  decoder.push(events.text("m", 0, "abc"));
  decoder.push(events.whole("m", 0, { type: "text", text: "abc" }));
  decoder.push(events.message("m", "completed", { content: [part("abc")] }));
  const { snapshot: before } = decoder.update();
  const { changes, snapshot, isFinal } = pushed(decoder, events.end([message("m", [part("abc")])]));
  assert.ok(isFinal);
  assert.deepEqual(
    changes.filter(({ path }) => path.includes("content")),
    [],
  );
  assert.equal(snapshot.output[0].content, before.output[0].content);
  decoder.free();
});

test("a chunk larger than the input buffer is one update", () => {
  const { events, decoder } = opened();
  const texts = Array.from({ length: 3000 }, () => events.text("m", 0, "0123456789"));
  const { changes, snapshot } = pushed(decoder, concat(texts));
  assert.deepEqual(changes, [add("output", 0, "content", 0)]);
  assert.equal(snapshot.output[0].content[0].text.length, 30_000);
  decoder.free();
});

/** Returns the value at a path; undefined without one. */
const at = (value, path) => path.reduce((inner, step) => inner?.[step], value);

/** Everything that is not the same in two snapshots and that no change names. */
function unnamed(before, after, changes, path = []) {
  const named = changes.find(
    (change) =>
      change.path.length === path.length && change.path.every((step, at) => step === path[at]),
  );
  if (Object.is(before, after) || (named !== undefined && named.kind !== "append")) {
    return [];
  }
  if (named !== undefined) {
    const same =
      typeof before === "string"
        ? before.slice(0, named.from)
        : stringifyJson(before.slice(0, named.from));
    const now =
      typeof before === "string"
        ? after.slice(0, named.from)
        : stringifyJson(after.slice(0, named.from));
    return same === now && before.length === named.from ? [] : [path];
  }
  const isContainer = (value) => typeof value === "object" && value !== null;
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    Array.isArray(before) !== Array.isArray(after)
  ) {
    return [path];
  }
  const steps = Array.isArray(after)
    ? [...after.keys()]
    : [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return steps.flatMap((step) => unnamed(before[step], after[step], changes, [...path, step]));
}

test("in every recorded stream, unreported values do not change and every path exists", async () => {
  for (const { name, protocol, stream } of await cases()) {
    const decoder = new Decoder({ protocol });
    let before = decoder.snapshot;
    for (let from = 0; from < stream.length; from += 61) {
      const update = pushed(decoder, stream.subarray(from, from + 61));
      if (update === undefined) {
        continue;
      }
      const { changes, snapshot } = update;
      for (const { kind, path } of changes) {
        // A value that was removed is set to undefined.
        const isGone = kind === "set" && at(before, path) !== undefined;
        assert.ok(isGone || at(snapshot, path) !== undefined, `${name}: ${path}`);
      }
      // Positions move where something was put in between.
      if (!changes.some(({ kind, path }) => kind === "add" && at(before, path) !== undefined)) {
        assert.deepEqual(unnamed(before, snapshot, changes), [], `${name}, byte ${from}`);
      }
      before = snapshot;
    }
    decoder.free();
  }
});
