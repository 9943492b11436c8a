import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson, stringifyJson } from "agentwire";

const BIG = 2n ** 53n + 1n;

test("parseJson() parses integers beyond 2^53 exactly, and everything else as JSON.parse does", () => {
  assert.deepEqual(parseJson(`[${BIG},-${BIG},${BIG - 1n},9007199254740991]`), [
    BIG,
    -BIG,
    2 ** 53,
    2 ** 53 - 1,
  ]);
  assert.deepEqual(
    parseJson(`{"a":${BIG},"b":1e300,"c":0.12345678901234567890,"d":1234567890123456789e2}`),
    {
      a: BIG,
      b: 1e300,
      c: 0.1234567890123456789,
      d: 123456789012345678900,
    },
  );
  assert.equal(parseJson("12345678901234567890"), 12345678901234567890n);
});

test("integers with more digits than Python parses become the nearest number", () => {
  const [exact, longer] = [4300, 4301].map((digits) => "7".repeat(digits));
  assert.deepEqual(parseJson(`[${exact},${longer}]`), [BigInt(exact), Infinity]);
  assert.deepEqual(parseJson(`{"a":-${longer},"b":${BIG}}`), { a: -Infinity, b: BIG });
});

test("digits in strings and keys are not parsed as integers", () => {
  for (const value of [
    { "1234567890123456789": "1234567890123456789" },
    ['"1234567890123456789', "\\", '\\"1234567890123456789'],
    { "\u00011": "\u00011", list: ["\u0001", "\u0001\u00011234567890123456789"] },
  ]) {
    const text = JSON.stringify(value);
    assert.deepEqual(parseJson(text), value);
    assert.deepEqual(parseJson(`[${BIG},${text}]`), [BIG, value]);
    assert.deepEqual(parseJson(`[${text}, ${BIG} ]`), [value, BIG]);
  }
});

test("invalid JSON is rejected", () => {
  for (const text of [
    "",
    "01234567890123456789",
    "{1234567890123456789:1}",
    "{1234567890123456789 :1}",
    '"1234567890123456789',
    '"a" 1234567890123456789',
    "1234567890123456789 1234567890123456789",
    "[1234567890123456789,]",
    "-",
    "12345678901234567890-1",
  ]) {
    assert.throws(() => parseJson(text), { name: "AgentwireError", code: "not-json" }, text);
  }
});

test("stringifyJson() writes a bigint as its digits, and everything else as JSON.stringify does", () => {
  const value = {
    a: [BIG, -1n, true, "\u0001", undefined],
    b: { "\u0001": 'é"\\\n' },
    c: undefined,
    d: 1.5,
    e: NaN,
  };
  const written = `{"a":[${BIG},-1,true,"\\u0001",null],"b":{"\\u0001":"é\\"\\\\\\n"},"d":1.5,"e":null}`;
  assert.equal(stringifyJson(value), written);
  delete value.a;
  assert.equal(stringifyJson(value), JSON.stringify(value));
});

test("parsing and writing round-trip", () => {
  const values = [
    [],
    {},
    "",
    0,
    BIG,
    [BIG, { a: [BIG, "\u0001"], "": "\u00011" }],
    { __proto__: null, x: [[-BIG]] },
  ];
  for (const value of values) {
    assert.deepEqual(stringifyJson(parseJson(stringifyJson(value))), stringifyJson(value));
  }
});

test("a long string does not overflow the stack", () => {
  const text = `["${"\\n1234567890123456789".repeat(200_000)}",${BIG}]`;
  assert.equal(parseJson(text)[1], BIG);
});
