// The patch format, op by op: no stream of the current protocols produces some ops, but all must be
// supported.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowingSnapshot } from "../../../../pkg/build/read/growing_snapshot.js";
import { Changes } from "../../../../pkg/build/read/changes.js";
import { Patcher } from "../../../../pkg/build/read/patch.js";
import { GROWTH } from "../../../../pkg/build/read/more_ops.js";
import { MOVES } from "../../../../pkg/build/read/more_ops.js";

const KEYS = ["value", "list", "only"];
const SCHEMA = {
  keys: KEYS,
  words: ["yes", "no"],
  templates: [() => ({ value: null, list: [], only: null }), () => ({ value: null })],
};
const [VALUE, LIST, ONLY] = [0, 1, 2];
/** Marks on an argument and on a length. */
const [DIGITS, LONG] = [2 ** 15, 2 ** 31];

/**
 * Applies ops (`[op, key, argument, node, ...more]`) with their texts; returns the answer object.
 */
function applied(
  ops,
  texts = [],
  { answer = new GrowingSnapshot(SCHEMA), exact = true, long = [] } = {},
) {
  const words = ops.flatMap(([op, key, argument, ...more]) => [
    op | (key << 8) | (argument << 16),
    ...more,
  ]);
  const padding = [7, 7];
  const patch = {
    words: new Uint32Array([...padding, ...words, ...padding]),
    start: padding.length,
    end: padding.length + words.length,
    text: texts.join(""),
    bytes: new TextEncoder().encode(`before${long.join("")}`),
    long: 6,
  };
  new Patcher(SCHEMA, answer, new Changes(), exact, { ...GROWTH, ...MOVES }).apply(patch);
  return answer;
}

const value = (op, texts, argument = 0, ...more) =>
  applied([[op, VALUE, argument, 0, ...more]], texts).publish().value;

test("open adds an object to a list or sets a property", () => {
  const answer = applied([
    [0, LIST, 1, 0],
    [0, ONLY, 1, 0],
    [2, VALUE, 0, 1],
    [3, VALUE, 0, 2],
  ]);
  assert.deepEqual(answer.publish(), {
    value: null,
    list: [{ value: true }],
    only: { value: false },
  });
});

test("properties are set to values of every kind", () => {
  assert.equal(value(1), null);
  assert.equal(value(2), true);
  assert.equal(value(3), false);
  assert.equal(value(4, [], 1), "no");
  assert.equal(value(6, ["🙂"], 0, 2), "🙂");
  assert.deepEqual(value(8, ['{"a":[1]}'], 0, 9), { a: [1] });
  assert.deepEqual(value(8, ["[9007199254740993]"], DIGITS, 18), [9007199254740993n]);
});

test("integers are read from two halves with a sign", () => {
  assert.equal(value(5, [], 0, 7, 0), 7);
  assert.equal(value(5, [], 0, 0xffff_ffff, 0xffff_ffff), -1);
  assert.equal(value(5, [], 0, 5, 1), 2 ** 32 + 5);
  assert.equal(value(5, [], 0, 0, 0x001f_ffff), 2 ** 53 - 2 ** 32);
});

test("append extends a text, and treats null as empty", () => {
  const answer = applied(
    [
      [7, VALUE, 0, 0, 1],
      [7, VALUE, 0, 0, 2],
    ],
    ["a", "bc"],
  );
  assert.equal(answer.publish().value, "abc");
});

test("long strings are decoded one by one", () => {
  const long = ["é".repeat(40_000), '"🙂"', "c"];
  const lengths = long.map((text) => new TextEncoder().encode(text).length + LONG);
  const ops = [
    [7, VALUE, 0, 0, 1],
    [7, VALUE, 0, 0, lengths[0]],
    [9, 0, 0, 0, 1, lengths[1]],
    [7, VALUE, 0, 0, lengths[2]],
    [7, VALUE, 0, 0, 1],
  ];
  const root = applied(ops, ["a", "x", "d"], { long }).publish();
  assert.equal(root.value, `a${long[0]}cd`);
  assert.equal(root.x, "🙂");
});

test("undeclared properties are set by name", () => {
  const root = applied(
    [
      [9, 0, 0, 0, 1, 1],
      [9, 0, DIGITS, 0, 9, 16],
    ],
    ["x", "1", "__proto__", "9007199254740993"],
  ).publish();
  assert.deepEqual(Object.keys(root), ["value", "list", "only", "x", "__proto__"]);
  assert.equal(root.x, 1);
  assert.equal(Object.getOwnPropertyDescriptor(root, "__proto__").value, 9007199254740993n);
});

test("paths inside free JSON are set, extended and created", () => {
  const answer = new GrowingSnapshot(SCHEMA);
  const root = (ops, texts) => applied(ops, texts, { answer }).publish();
  assert.deepEqual(root([[10, VALUE, 2, 0, 1, 1, 1]], ["a", "b", "1"]).value, { a: { b: 1 } });
  assert.deepEqual(root([[10, VALUE, 1 | DIGITS, 0, 1, 16]], ["n", "9007199254740993"]).value, {
    a: { b: 1 },
    n: 9007199254740993n,
  });
  assert.deepEqual(root([[11, VALUE, 2, 0, 1, 1, 2]], ["a", "t", "xy"]).value.a, { b: 1, t: "xy" });
  assert.deepEqual(root([[11, VALUE, 2, 0, 1, 1, 1]], ["a", "t", "z"]).value.a, { b: 1, t: "xyz" });
  assert.deepEqual(root([[10, VALUE, 2, 0, 1, 1, 3]], ["a", "l", "[1]"]).value.a.l, [1]);
  assert.deepEqual(root([[12, VALUE, 2, 0, 1, 1, 5]], ["a", "l", "[2,3]"]).value.a.l, [1, 2, 3]);
  assert.deepEqual(
    root([[12, VALUE, 2 | DIGITS, 0, 1, 1, 18]], ["a", "l", "[9007199254740993]"]).value.a.l,
    [1, 2, 3, 9007199254740993n],
  );
  assert.deepEqual(root([[12, VALUE, 1, 0, 1, 3]], ["x", "[1]"]).value.x, undefined);
});

test("numbers inside free JSON are added: integers exactly, everything else as floats", () => {
  const sum = (held, summand, float = 0, exact = true) => {
    const answer = new GrowingSnapshot(SCHEMA);
    const words = [
      [10, VALUE, 1 | DIGITS, 0, 1, held.length],
      [13, VALUE, 1 | DIGITS, 0, 1, float, summand.length],
    ];
    return applied(words, ["n", held, "n", summand], { answer, exact }).publish().value.n;
  };
  assert.equal(sum("1", "2"), 3);
  assert.equal(sum("1.5", "2", 1), 3.5);
  assert.equal(sum("9007199254740992", "1"), 9007199254740993n);
  assert.equal(sum("9007199254740993", "-1"), 9007199254740992);
  assert.equal(sum("1", "9007199254740993"), 9007199254740994n);
  assert.equal(sum("1", "9007199254740993", 0, false), 9007199254740992);
  assert.equal(sum("1e308", "1e308", 1), 1e308);
  assert.equal(sum('"no number"', "1"), "no number");
});

test("a list is reordered, and items that are not listed are removed", () => {
  const answer = applied([
    [0, LIST, 1, 0],
    [0, LIST, 1, 0],
    [0, LIST, 1, 0],
    [4, VALUE, 0, 1],
    [4, VALUE, 1, 3],
    [14, LIST, 0, 0, 2, 3, 1],
  ]);
  const before = answer.publish();
  assert.deepEqual(before.list, [{ value: "no" }, { value: "yes" }]);
  applied(
    [
      [2, VALUE, 0, 2],
      [2, VALUE, 0, 1],
      [0, LIST, 1, 0],
    ],
    [],
    { answer },
  );
  assert.deepEqual(answer.publish().list, [{ value: "no" }, { value: true }, { value: null }]);
  assert.deepEqual(before.list, [{ value: "no" }, { value: "yes" }]);
});

test("an unknown op is rejected", () => {
  assert.throws(() => value(255), /different versions/);
});

test("long strings are not split inside a character", () => {
  for (const length of [128, 1024, 33 * 1024, 65 * 1024]) {
    for (const character of ["é", "你", "🙂"]) {
      for (let before = length - 4; before <= length; before++) {
        const long = ["a".repeat(before) + character + "b".repeat(40_000)];
        const ops = [
          [7, VALUE, 0, 0, before + new TextEncoder().encode(character).length + 40_000 + LONG],
        ];
        assert.ok(
          applied(ops, [], { long }).publish().value === long[0],
          `${character} after ${before}`,
        );
        // So that the next one, too, is treated as ASCII at first.
        assert.equal(
          applied([[7, VALUE, 0, 0, 2000 + LONG]], [], { long: ["a".repeat(2000)] }).publish().value
            .length,
          2000,
        );
      }
    }
  }
});
