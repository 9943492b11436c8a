// Streaming JSON, read in chunks: the values, their immutability, and the cost.
import assert from "node:assert/strict";
import { test } from "node:test";
// The separate modules, so that the reader uses the parser whose characters are counted.
import * as agentwire from "../../../../pkg/build/entries/agentwire.js";
import { PartialJson } from "../../../../pkg/build/read/partial_json.js";

const WHOLE = String.raw`{"path":"a\"\\\u4f60\ud83d\ude00b","n":-12.5e3,"list":[1,true,null,{"k":[]}],"z":{},"__proto__":{"x":[0]},"a":1,"a":["q"]}`;

/** A text, and its value so far; as in `src/json/partial.rs`. */
const SHOWN = [
  ["", undefined],
  ["-", undefined],
  ["tru", undefined],
  ["42", 42],
  ["42.", undefined],
  ["01", undefined],
  [" null ", null],
  ['{"a":-', {}],
  ['{"a":12', {}],
  ['{"a":12,', { a: 12 }],
  ['{"a":12345678901234567890}', { a: 12345678901234567890n }],
  ['{"a":"x\\u4f', { a: "x" }],
  ['{"a":"x\\ud83d', { a: "x" }],
  ['{"a":"x","b', { a: "x" }],
  ['{"a":1,"a":[', { a: [] }],
  ["[[1,[2", [[1, []]]],
  ["[1,]", [1]],
  ["[012", []],
  ["[12-", [12]],
  ["[1.x", []],
  ["[nulL", []],
  ['{"a" 1}', {}],
  ['{"a":1}x', { a: 1 }],
  ['{"path":"C:\\Users\\\\x","n":1}', { path: "C:" }],
  ['{"r":"\\d+","n":1}', { r: "" }],
  ['["a\\n\\u12G4"]', ["a\n"]],
  ['["\\U0041"]', [""]],
  ['["\\ud83d\\d"]', [""]],
  ['["\\ud83d\\ud83d\\ude00', ["\ud83d😀"]],
  ['["a\nb"]', ["a"]],
  ['{"a":1,"\\d":2}', { a: 1 }],
  ['["a\\udc00b', ["a\udc00b"]],
];

function shown(pieces) {
  const json = new PartialJson();
  for (const piece of pieces) {
    json.push(piece);
  }
  return json.value(true);
}

test("the value of a partial text does not depend on the chunk boundaries", () => {
  for (const [text, value] of SHOWN) {
    assert.deepEqual(shown([text]), value, text);
    assert.deepEqual(shown(text), value, `${text}, by character`);
  }
});

test("every prefix has the same value in pieces as in one piece, and a returned value does not change", () => {
  for (const text of [WHOLE, ...SHOWN.map(([text]) => text)]) {
    for (const size of [1, 2, 3, 7]) {
      const json = new PartialJson();
      const seen = [];
      for (let at = 0; at < text.length; at += size) {
        json.push(text.slice(at, at + size));
        const value = json.value(false);
        assert.deepEqual(value, shown([text.slice(0, at + size)]), text.slice(0, at + size));
        assert.equal(json.value(false), value);
        seen.push([
          value,
          JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}` : each)),
        ]);
      }
      for (const [value, before] of seen) {
        assert.equal(
          JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}` : each)),
          before,
        );
      }
    }
  }
  assert.deepEqual(shown(WHOLE), agentwire.parseJson(WHOLE));
});

test("parts that the next piece does not change keep their identity", () => {
  const json = new PartialJson();
  json.push('{"a":{"b":[1]},"c":[{"d":1},{');
  const before = json.value(false);
  json.push('"e":2}');
  const after = json.value(false);
  assert.deepEqual(
    [before, after],
    [
      { a: { b: [1] }, c: [{ d: 1 }, {}] },
      { a: { b: [1] }, c: [{ d: 1 }, { e: 2 }] },
    ],
  );
  assert.equal(after.a, before.a);
  assert.equal(after.c[0], before.c[0]);
  assert.notEqual(after.c, before.c);
});

test("at most 128 nested containers are parsed", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ]) {
    for (const depth of [128, 129, 100_000]) {
      let value = shown([open.repeat(depth), "1", close.repeat(depth)]);
      let levels = 0;
      for (; typeof value === "object"; value = Object.values(value)[0]) {
        levels++;
      }
      assert.equal(levels, 128);
      assert.equal(value, depth === 128 ? 1 : undefined);
    }
  }
});

/** For each protocol the events before the arguments, and the event with a delta. */
const PROTOCOLS = {
  "ag-ui": [
    [
      { type: "RUN_STARTED", threadId: "t", runId: "r" },
      { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "f" },
    ],
    (delta) => ({ type: "TOOL_CALL_ARGS", toolCallId: "c", delta }),
  ],
  "ag-kit": [
    [{ type: "tool-call-start", toolCallId: "c", toolCallName: "f" }],
    (delta) => ({ type: "tool-call-args", toolCallId: "c", delta }),
  ],
  responses: [
    [
      {
        type: "response.created",
        response: { id: "r", object: "response", status: "in_progress", output: [] },
      },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: {
          type: "function_call",
          id: "i",
          call_id: "c",
          name: "f",
          arguments: "",
          status: "in_progress",
        },
      },
    ],
    (delta) => ({
      type: "response.function_call_arguments.delta",
      output_index: 0,
      item_id: "i",
      delta,
    }),
  ],
  "agent-api": [
    [
      { object: "response", status: "created", id: "r", output: [] },
      {
        object: "message",
        status: "in_progress",
        id: "m",
        type: "function_call",
        role: "assistant",
      },
    ],
    (delta) => ({
      object: "content",
      type: "data",
      msg_id: "m",
      index: 0,
      delta: true,
      data: { call_id: "c", name: "f", arguments: delta },
    }),
  ],
};
/** The beginning of the arguments, and the delta by its number. */
const GROWTH = {
  "objects in a list": ['{"a":[', () => '{"x":1},'],
  "numbers in a list": ['{"a":[', () => "1,"],
  "members of an object": ["{", (at) => `"k${at}":1,`],
  "a string": ['{"a":"', () => "text "],
};

test("reading the arguments after each delta parses each character once and copies few properties", async () => {
  const { push } = PartialJson.prototype;
  let visited = 0;
  PartialJson.prototype.push = function (piece) {
    visited += piece.length;
    push.call(this, piece);
  };
  try {
    for (const [protocol, [opening, event]] of Object.entries(PROTOCOLS)) {
      for (const [name, [begin, pieceAt]] of Object.entries(GROWTH)) {
        const decoder = new agentwire.Decoder({ protocol });
        const send = (event) =>
          decoder.push(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
        opening.forEach(send);
        visited = 0;
        let [text, copied, looks, before] = ["", 0, 0, undefined];
        for (let at = 0; at < 3000; at++) {
          const piece = at === 0 ? begin : pieceAt(at);
          text += piece;
          send(event(piece));
          const [call] = agentwire.toolCalls(decoder.snapshot);
          const { partialArguments: partial } = call;
          looks += partial === before ? 0 : 1;
          if (partial !== before && partial !== undefined) {
            const { a } = partial;
            copied += Object.keys(partial).length + (Array.isArray(a) ? a.length / 16 : 0);
          }
          before = partial;
          if (at === 2999) {
            assert.equal(call.argumentsText, text, `${protocol}, ${name}`);
          }
        }
        assert.equal(visited, text.length, `${protocol}, ${name}: characters`);
        assert.ok(looks > 50, `${protocol}, ${name}: ${looks} looks`);
        assert.ok(copied < 4 * text.length + 200 * 3000, `${protocol}, ${name}: ${copied} copied`);
        decoder.free();
      }
    }
  } finally {
    PartialJson.prototype.push = push;
  }
});

test("a wide object is copied less often, and its last value is complete", () => {
  const text = `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":${at}`).join()}}`;
  const json = new PartialJson();
  let [copied, last] = [0, undefined];
  for (let at = 0; at < text.length; at += 8) {
    json.push(text.slice(at, at + 8));
    const value = json.value(false);
    copied += value === last ? 0 : Object.keys(value).length;
    last = value;
    if (at % 40_000 === 0) {
      const come = Object.keys(shown([text.slice(0, at + 8)])).length;
      assert.ok(Object.keys(value).length >= 0.9 * come, `${Object.keys(value).length} of ${come}`);
    }
  }
  assert.ok(copied <= 4 * text.length + 200 * 128, `${copied} of ${text.length}`);
  assert.deepEqual(json.value(false), JSON.parse(text));
  const cut = new PartialJson();
  cut.push(text.slice(0, -1000));
  cut.value(false);
  cut.push(text.slice(-1000, -1));
  assert.deepEqual(cut.value(true), shown([text.slice(0, -1)]));
});

test("tool calls of replaced and earlier snapshots keep their own arguments", async () => {
  const decoder = new agentwire.Decoder({ protocol: "responses" });
  const send = (event) =>
    decoder.push(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  const [opening, event] = PROTOCOLS.responses;
  opening.forEach(send);
  const only = () => agentwire.toolCalls(decoder.snapshot)[0];
  send(event('{"a":1'));
  const one = only();
  assert.deepEqual(one.partialArguments, {});
  send(event(',"b":2,'));
  const two = only();
  assert.deepEqual(
    [two.partialArguments, one.partialArguments, two.partialArguments],
    [{ a: 1, b: 2 }, {}, { a: 1, b: 2 }],
  );
  assert.deepEqual(agentwire.toolCalls(structuredClone(decoder.snapshot))[0].partialArguments, {
    a: 1,
    b: 2,
  });
  send({
    type: "response.function_call_arguments.done",
    output_index: 0,
    item_id: "i",
    name: "f",
    arguments: '{"c":3}     ',
  });
  assert.deepEqual(
    [only().partialArguments, two.partialArguments, one.partialArguments],
    [{ c: 3 }, { a: 1, b: 2 }, {}],
  );
});
