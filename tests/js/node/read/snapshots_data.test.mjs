// Free JSON in a snapshot: data in deltas, property names with a meaning in JavaScript, large
// integers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "agentwire";
import { Events, concat, pushed } from "../support/events.mjs";

/** The properties of a data delta in addition to the data, as JSON. */
const DATA =
  '"object":"content","type":"data","msg_id":"m","index":0,"delta":true,"status":"in_progress"';

test("data deltas are merged without changing returned snapshots", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const push = (data) =>
    pushed(decoder, events.data("m", 0, data)).snapshot.output[0].content[0].data;
  decoder.push(events.opening());
  const one = push({ text: "a", list: [1], number: 1, deep: { text: "x", other: { kept: true } } });
  const two = push({
    text: "b",
    list: [2, 3],
    number: 2.5,
    deep: { text: "y", fresh: null },
    added: false,
  });
  assert.deepEqual(one, {
    text: "a",
    list: [1],
    number: 1,
    deep: { text: "x", other: { kept: true } },
  });
  assert.deepEqual(two, {
    text: "ab",
    list: [1, 2, 3],
    number: 3.5,
    deep: { text: "xy", other: { kept: true }, fresh: null },
    added: false,
  });
  assert.equal(two.deep.other, one.deep.other);
  const three = push({ deep: { text: "z" } });
  assert.equal(three.list, two.list);
  assert.equal(two.deep.text, "xy");
  decoder.free();
});

test("property names such as `__proto__` do not pollute prototypes", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const events = new Events();
  const data = (json) => events.event(`{${DATA},"data":${json}}`);
  decoder.push(events.opening());
  decoder.push(data('{"__proto__":{"a":"x"},"constructor":{"prototype":{"a":"x"}}}'));
  const polluting = '"__proto__":{"a":"y","polluted":1},"constructor":{"prototype":{"polluted":1}}';
  decoder.push(data(`{${polluting},"toString":{"b":1}}`));
  decoder.push(
    events.event('{"object":"message","id":"m","status":"in_progress","__proto__":{"polluted":1}}'),
  );
  const { snapshot: response } = decoder.finish();
  assert.equal({}.polluted, undefined);
  assert.equal(Object.getPrototypeOf(response.output[0]), Object.prototype);
  const held = response.output[0].content[0].data;
  assert.deepEqual(Object.keys(held), ["__proto__", "constructor", "toString"]);
  assert.deepEqual(Object.getOwnPropertyDescriptor(held, "__proto__").value, {
    a: "xy",
    polluted: 1,
  });
  assert.equal(Object.getPrototypeOf(held), Object.prototype);
});

test("properties that the protocol does not declare are kept", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.response("created", { trace: { id: 12345678901234567890n.toString() } }));
  decoder.push(
    events.event('{"object":"message","id":"m","status":"in_progress","big":12345678901234567890}'),
  );
  const { snapshot: response } = decoder.finish();
  assert.deepEqual(response.trace, { id: "12345678901234567890" });
  assert.equal(response.output[0].big, 12345678901234567890n);
});

test("integers beyond 2^53 are bigint, or numbers with `bigint: false`", () => {
  const stream = () => {
    const events = new Events();
    const data = `{"n":12345678901234567890,"list":[9007199254740993,1,"\\u00015"]}`;
    const more = `{"list":[-9007199254740993]}`;
    return concat([
      events.opening(),
      ...[data, more].map((json) => events.event(`{${DATA},"data":${json}}`)),
    ]);
  };
  const read = (options) => {
    const decoder = new Decoder({ protocol: "agent-api", ...options });
    decoder.push(stream());
    return decoder.finish().snapshot.output[0].content[0].data;
  };
  assert.deepEqual(read(), {
    n: 12345678901234567890n,
    list: [9007199254740993n, 1, "\u00015", -9007199254740993n],
  });
  assert.deepEqual(read({ bigint: false }), {
    n: 12345678901234567000,
    list: [9007199254740992, 1, "\u00015", -9007199254740992],
  });
});
