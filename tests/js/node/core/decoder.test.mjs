import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Decoder } from "agentwire";
import { Events, concat, pushed, shortRun } from "../support/events.mjs";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;

test("a stream is decoded to its end", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const updates = shortRun().map((chunk) => pushed(decoder, chunk));
  assert.deepEqual(
    updates.map(({ isFinal }) => isFinal),
    [false, false, false, false, false, true],
  );
  const { snapshot: response, toolCalls, report } = decoder.finish();
  assert.equal(response.output[0].content[0].text, "Hello");
  assert.deepEqual(toolCalls, []);
  assert.equal(report.endReason, "completed");
  assert.deepEqual(report.violations, []);
  assert.equal(report.bytes, concat(shortRun()).length);
});

test("an update contains only the violations of its chunk", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const rules = ({ violations }) => violations.map(({ rule }) => rule);
  assert.deepEqual(rules(pushed(decoder, events.opening())), []);
  const one = pushed(decoder, events.text("x", 0, "a"));
  const two = pushed(decoder, events.text("y", 0, "b"));
  assert.deepEqual(rules(two), ["content-before-message"]);
  assert.equal(two.violations[0].messageId, "y");
  decoder.finish();
  assert.deepEqual(
    one.violations.map(({ messageId }) => messageId),
    ["x"],
  );
  assert.equal(decoder.report.counts["content-before-message"], 2);
});

test("an error that displaces a milder violation is in the update of its chunk", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api", limits: { violations: 2 } });
  const rules = ({ violations }) => violations.map(({ rule }) => rule);
  decoder.push(events.opening());
  const mild = ["x", "y", "z"].map((id) => pushed(decoder, events.text(id, 0, "a")));
  assert.deepEqual(mild.map(rules), [["content-before-message"], ["content-before-message"], []]);
  const grave = pushed(decoder, new TextEncoder().encode("data: nonsense\n\n"));
  const late = pushed(decoder, new TextEncoder().encode("data: again\n\n"));
  assert.deepEqual(rules(grave), ["malformed-event"]);
  // This includes updates that are requested after the end, when the errors have displaced all
  // other violations.
  const { report } = decoder.finish();
  assert.deepEqual(rules(late), ["malformed-event"]);
  assert.deepEqual(
    report.violations.map(({ rule }) => rule),
    ["malformed-event", "malformed-event"],
  );
});

test("finish() and abort() can be called once, and the snapshot and the report remain available", () => {
  for (const first of ["finish", "abort"]) {
    const decoder = new Decoder({ protocol: "agent-api" });
    decoder.push(shortRun()[0]);
    const { snapshot: response, report } = decoder[first]();
    for (const again of [
      () => decoder.finish(),
      () => decoder.abort(),
      () => pushed(decoder, shortRun()[1]),
    ]) {
      assert.throws(again, coded("finished"));
      assert.equal(decoder.snapshot, response);
      assert.equal(decoder.report, report);
    }
  }
});

test("a refused stream has the status of an incomplete one", () => {
  for (const [protocol, status] of [
    ["agent-api", "incomplete"],
    ["ag-kit", "truncated"],
  ]) {
    const decoder = new Decoder({ protocol, mode: "strict" });
    decoder.push(new TextEncoder().encode("data: nonsense\n\n"));
    const { snapshot: response, report } = decoder.finish();
    assert.equal(report.endReason, "refused");
    assert.equal(response.status, status);
  }
});

test("the report can be read at any time", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const [first, ...rest] = shortRun();
  assert.equal(decoder.report.endReason, null);
  decoder.push(first);
  assert.equal(decoder.report.events, 3);
  assert.equal(decoder.report, decoder.report);
  rest.forEach((chunk) => decoder.push(chunk));
  assert.equal(decoder.report.events, 8);
  decoder.free();
});

test("abort() does not cause a violation", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(shortRun()[0]);
  const { snapshot: response, report } = decoder.abort();
  assert.equal(report.endReason, "aborted");
  assert.equal(response.status, "canceled");
  assert.deepEqual(report.unfinished, ["m"]);
  assert.deepEqual(report.violations, []);
});

test("abort() after the end changes nothing", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(concat(shortRun()));
  const { snapshot: response, report } = decoder.abort();
  assert.equal(report.endReason, "completed");
  assert.equal(response.status, "completed");
});

test("`lastEventId` is the id of the last event", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  assert.equal(decoder.lastEventId, "");
  decoder.push(new TextEncoder().encode("id: 7\ndata: {}\n\n"));
  assert.equal(decoder.lastEventId, "7");
  decoder.finish();
  assert.equal(decoder.lastEventId, "7");
});

test("strict mode stops at the first error", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api", mode: "strict" });
  decoder.push(events.opening());
  const { isFinal } = pushed(decoder, events.event("no json"));
  assert.ok(isFinal);
  assert.equal(decoder.finish().report.endReason, "refused");
});

test("raw mode does not report violations", () => {
  const decoder = new Decoder({ protocol: "agent-api", mode: "raw" });
  decoder.push(new Events().text("m", 0, "a"));
  assert.deepEqual(decoder.finish().report.violations, []);
});

test("limits are enforced and reported", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api", limits: { contentBytes: 3 } });
  decoder.push(events.opening());
  const { snapshot, violations } = pushed(
    decoder,
    concat([events.text("m", 0, "abc"), events.text("m", 0, "d")]),
  );
  assert.equal(snapshot.output[0].content[0].text, "abc");
  assert.deepEqual(
    violations.map(({ rule }) => rule),
    ["limit-exceeded"],
  );
  decoder.free();
});

test("invalid options are rejected with a code", () => {
  assert.throws(() => new Decoder({ protocol: "agent-api", mode: "loose" }), coded("wrong-option"));
  assert.throws(
    () => new Decoder({ protocol: "agent-api", limits: { messages: 1.5 } }),
    coded("wrong-option"),
  );
  assert.throws(
    () => new Decoder({ protocol: "agent-api", limits: { massages: 1 } }),
    coded("wrong-option"),
  );
  assert.throws(() => new Decoder({ protocol: "telegraph" }), coded("unknown-protocol"));
});

test("push() accepts only Uint8Array and its subclasses", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const buffer = new ArrayBuffer(8);
  for (const chunk of [
    "data: {}\n\n",
    [1, 2],
    buffer,
    new Float64Array(buffer),
    new DataView(buffer),
    undefined,
  ]) {
    assert.throws(() => decoder.push(chunk), coded("wrong-chunk"));
  }
  decoder.push(Buffer.from(": a\n\n"));
  decoder.push(new Uint8ClampedArray(1));
  decoder.free();
});

test("after the end, the snapshot is available and methods throw", () => {
  for (const end of ["finish", "abort"]) {
    const decoder = new Decoder({ protocol: "agent-api" });
    decoder.push(concat(shortRun()));
    const { snapshot: response, report } = decoder[end]();
    for (const call of ["push", "finish", "abort"]) {
      assert.throws(() => decoder[call](new Uint8Array(1)), coded("finished"));
    }
    decoder.free();
    assert.equal(decoder.snapshot, response);
    assert.equal(decoder.report, report);
  }
});

test("methods throw after free()", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const update = pushed(decoder, shortRun()[0]);
  decoder.free();
  decoder.free();
  assert.throws(() => decoder.push(new Uint8Array(1)), coded("freed"));
  assert.throws(() => decoder.finish(), coded("freed"));
  assert.throws(() => decoder.report, coded("freed"));
  assert.throws(() => decoder.lastEventId, coded("freed"));
  // The snapshot is not in the core's memory.
  assert.equal(update.snapshot.id, "r");
});

test("Symbol.dispose frees the decoder", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder[Symbol.dispose]();
  assert.throws(() => decoder.finish(), coded("freed"));
});

test("several decoders can be used at the same time", () => {
  const runs = ["first", "second", "third"].map((text) => ({
    text,
    decoder: new Decoder({ protocol: "agent-api" }),
    chunks: shortRun(text),
  }));
  for (let at = 0; at < runs[0].chunks.length; at++) {
    runs.forEach(({ decoder, chunks }) => decoder.push(chunks[at]));
  }
  for (const { text, decoder } of runs) {
    assert.equal(decoder.finish().snapshot.output[0].content[0].text, text);
  }
});

test("long strings in data equal the output of JSON.parse", () => {
  const long = '"\\\u0001\n你🙂'.repeat(1000);
  const plain = "x".repeat(5000);
  const data = JSON.parse(
    JSON.stringify({ output: long, n: 2 ** 40, plain, list: [long], lone: `\ud83d${plain}` }),
  );
  const named = JSON.parse(`{"__proto__":${JSON.stringify(long)},"a":1}`);
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.opening());
  const read = (bytes, index) =>
    pushed(decoder, bytes).snapshot.output[0].content.find((content) => content.index === index)
      .data;
  assert.deepEqual(read(events.whole("m", 0, { type: "data", data }), 0), data);
  assert.deepEqual(read(events.whole("m", 1, { type: "data", data: named }), 1), named);
  // In deltas, at any depth.
  const held = read(events.data("m", 2, { a: { output: long }, plain }), 2);
  assert.deepEqual(held, { a: { output: long }, plain });
  assert.deepEqual(read(events.data("m", 2, { a: { more: long }, plain, new: long }), 2), {
    a: { output: long, more: long },
    plain: plain + plain,
    new: long,
  });
  assert.deepEqual(held, { a: { output: long }, plain });
  decoder.free();
});

test("long and non-ASCII texts in a report are complete, before and after the end", () => {
  const events = new Events();
  // More than a kilobyte of UTF-8 is transferred separately, the rest with other strings.
  const ids = ["é".repeat(900), "你", "m"];
  const lines = new TextEncoder().encode("retry: 4294967299\nid: ☎\n");
  const unknown = events.event({ object: "ö" });
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(
    concat([
      events.response("created"),
      ...ids.map((id) => events.text(id, 0, "x", { index: 3 })),
      lines,
      unknown,
    ]),
  );
  const { endReason, ...early } = decoder.report;
  const update = decoder.update();
  const { report } = decoder.finish();
  assert.equal(endReason, null);
  const { violations, counts } = report;
  assert.deepEqual(report, {
    ...early,
    endReason: "truncated",
    unfinished: ids,
    lastEventId: "☎",
    violations,
    counts,
  });
  assert.deepEqual(early.unknown, { ö: 1 });
  assert.equal(early.retryMs, 4294967299);
  const before = early.violations.length;
  assert.deepEqual(violations.slice(0, before), early.violations);
  assert.deepEqual(update.violations, early.violations);
  assert.deepEqual(decoder.update().violations, violations.slice(before));
  const gaps = violations.filter(({ rule }) => rule === "index-gap");
  assert.deepEqual(
    gaps.map(({ messageId, event, index }) => [messageId, event, index]),
    ids.map((id, at) => [id, at + 1, 3]),
  );
  assert.deepEqual(counts, counted(violations));
});

test("a decoder that reuses the memory of a finished one is independent of it", () => {
  const whole = concat(shortRun());
  const alone = new Decoder({ protocol: "agent-api" });
  alone.push(whole);
  const expected = alone.finish();
  const first = new Decoder({ protocol: "agent-api" });
  const second = new Decoder({ protocol: "agent-api" });
  first.push(whole);
  second.push(whole.subarray(0, 200));
  assert.deepEqual(first.finish(), expected);
  // The third decoder, which reuses the slot of the first one, reads another protocol with other
  // options.
  const third = new Decoder({ protocol: "ag-kit", mode: "strict" });
  third.push(whole);
  second.push(whole.subarray(200));
  assert.deepEqual(second.finish(), expected);
  assert.equal(third.finish().report.endReason, "refused");
  first.free();
  const fourth = new Decoder({ protocol: "agent-api" });
  fourth.push(whole);
  assert.deepEqual(fourth.finish(), expected);
});

function counted(violations) {
  const counts = {};
  violations.forEach(({ rule }) => (counts[rule] = (counts[rule] ?? 0) + 1));
  return counts;
}
