// The events of a stream without a snapshot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import {
  AgentwireError,
  ConnectionError,
  EventDecoder,
  events,
  HttpError,
  stringifyJson,
} from "agentwire";
import { cases } from "../support/cases.mjs";
import { pieces, sizes } from "../support/cuts.mjs";
import { answer, body, settled } from "../support/sources.mjs";

const encode = (text) => new TextEncoder().encode(text);
const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const frame = (event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;

function entries(chunks, options) {
  const decoder = new EventDecoder({ protocol: "agent-api", ...options });
  return [...[...chunks].flatMap((chunk) => decoder.push(chunk)), ...decoder.finish()];
}

async function all(iterable) {
  const list = [];
  for await (const entry of iterable) {
    list.push(entry);
  }
  return list;
}

test("an entry has the number, offsets, name and id of its event", async () => {
  const text = `${frame({ type: "text", content: "你" })}: ping\n\nevent: tick\nid: 7\n${frame({ type: "tool-call-end", toolCallId: "a" })}${frame("[DONE]")}`;
  const list = await all(events(answer([encode(text)]).response, { protocol: "ag-kit" }));
  const [first, ping, second, done] = list;
  assert.equal(list.length, 4);
  assert.deepEqual(first, {
    kind: "event",
    number: 0,
    offset: 0,
    end: 39,
    name: "message",
    id: "",
    event: { type: "text", content: "你" },
  });
  assert.deepEqual(ping, { kind: "comment", offset: 39, text: " ping" });
  assert.deepEqual(
    [second.number, second.offset, second.name, second.id, second.event.toolCallId],
    [1, 47, "tick", "7", "a"],
  );
  assert.deepEqual([done.event, done.id, done.end], [{ type: "[DONE]" }, "7", encode(text).length]);
});

test("a malformed event is an entry with its fault, and reading continues", () => {
  const wrong = [
    "no json",
    "[1]",
    '{"type":"text"}',
    '{"type":"text","content":5}',
    `{"type":"text","content":"${"x".repeat(200)}"}`,
  ];
  const list = entries(
    [encode(wrong.map(frame).join("") + frame({ type: "text", content: "ok" }))],
    { protocol: "ag-kit", limits: { eventBytes: 100 } },
  );
  assert.deepEqual(
    list.map(({ kind, number, fault }) => [kind, number, fault?.code, fault?.path]),
    [
      ["malformed", 0, "not-json", ""],
      ["malformed", 1, "wrong-type", ""],
      ["malformed", 2, "missing-member", "content"],
      ["malformed", 3, "wrong-type", "content"],
      ["malformed", 4, "limit-exceeded", ""],
      ["event", 4, undefined, undefined],
    ],
  );
  assert.deepEqual(
    [list[0].data, list[3].data, list[4].data],
    ["no json", '{"type":"text","content":5}', ""],
  );
  assert.deepEqual(list[3].fault, {
    code: "wrong-type",
    path: "content",
    offset: 25,
    expected: "string",
  });
  assert.equal(list[4].fault.expected, "at most 100 event_bytes");
  const [lines] = entries([encode('{"type":"text","content":"a"}\n')], { protocol: "ag-kit" });
  assert.deepEqual([lines.kind, lines.number, lines.end], ["event", 0, 29]);
});

test("an unknown event is an entry with all properties and exact integers", () => {
  const text = frame('{"object":"hologram","n":12345678901234567890}');
  const [{ kind, event }] = entries([encode(text)]);
  assert.deepEqual([kind, event], ["event", { object: "hologram", n: 12345678901234567890n }]);
  assert.equal(entries([encode(text)], { bigint: false })[0].event.n, 12345678901234567000);
  const [{ fault }] = entries([
    encode(frame({ object: "message", content: [{ type: "text", text: 5 }] })),
  ]);
  assert.equal(fault.code, "wrong-type");
});

test("the events of every recorded stream are the same at any chunk boundary", async () => {
  for (const { name, protocol, stream } of await cases()) {
    const whole = entries([stream], { protocol });
    // An LF may follow a CR, which ends an event, later.
    const shape = (list) => stringifyJson(list.map(({ end: _, ...rest }) => rest));
    for (const size of [() => 1, sizes(1)]) {
      assert.equal(shape(entries(pieces(stream, size), { protocol })), shape(whole), name);
    }
    for (const { kind, offset, end, event } of whole) {
      if (kind === "event" && event.type !== "[DONE]") {
        const text = new TextDecoder().decode(stream.subarray(offset, end));
        const data = text
          .split(/\r\n|\r|\n/)
          .map((line) => /^\ufeff?data: ?(.*)$/s.exec(line)?.[1])
          .filter((line) => line !== undefined)
          .join("\n");
        // JSON outside of an event is its own data; a list has several events.
        const sent = JSON.parse(data || text);
        const own = JSON.parse(stringifyJson(event));
        if (Array.isArray(sent)) {
          assert.ok(
            sent.some((one) => isDeepStrictEqual(one, own)),
            name,
          );
        } else {
          assert.deepEqual(own, sent, name);
        }
      }
    }
  }
});

test("with auto, the first event selects the protocol", () => {
  const list = entries([encode(frame({ type: "text", content: "a" }) + frame({ type: "text" }))], {
    protocol: "auto",
  });
  assert.deepEqual(
    list.map(({ kind }) => kind),
    ["event", "malformed"],
  );
  const other = entries([encode(frame({ object: "response" }) + frame({ type: "text" }))], {
    protocol: "auto",
  });
  assert.deepEqual(
    other.map(({ kind }) => kind),
    ["event", "event"],
  );
});

test('NDJSON lines are events with `framing: "ndjson"`', () => {
  const list = entries([encode('{"type":"text","content":"a"}\n{"type":"text","content":"b"}')], {
    protocol: "ag-kit",
    framing: "ndjson",
  });
  assert.deepEqual(
    list.map(({ event }) => event.content),
    ["a", "b"],
  );
});

test("leaving the loop cancels the body, an abort ends it, and the end releases it", async () => {
  const chunks = ["a", "b"].map((content) => encode(frame({ type: "text", content })));
  const left = body([...chunks, "never"]);
  for await (const { event } of events(left.stream, { protocol: "ag-kit" })) {
    assert.equal(event.content, "a");
    break;
  }
  await settled();
  assert.ok(left.log.canceled);

  const controller = new AbortController();
  const aborted = body([...chunks, "never"]);
  const list = all(events(aborted.stream, { protocol: "ag-kit", signal: controller.signal }));
  await settled();
  controller.abort("enough");
  assert.equal((await list).length, 2);
  await settled();
  assert.equal(aborted.log.canceled.reason, "enough");

  const whole = body(chunks);
  assert.equal((await all(events(whole.stream, { protocol: "ag-kit" }))).length, 2);
  assert.deepEqual([whole.log.canceled, whole.stream.locked], [undefined, false]);
  assert.deepEqual(
    await all(events(body(chunks).stream, { protocol: "agent-api", signal: AbortSignal.abort() })),
    [],
  );
});

test("events() throws the same errors as read()", async () => {
  const refused = events(answer([], { status: 503 }).response, { protocol: "agent-api" });
  await assert.rejects(all(refused), (error) => error instanceof HttpError && error.status === 503);
  const cause = new TypeError("terminated");
  const seen = [];
  await assert.rejects(
    async () => {
      for await (const entry of events(
        body([encode(frame({ object: "response" })), cause]).stream,
        { protocol: "agent-api" },
      )) {
        seen.push(entry);
      }
    },
    (error) =>
      error instanceof ConnectionError && error.cause === cause && error.outcome === undefined,
  );
  assert.equal(seen.length, 1);
  assert.throws(() => events("data: {}", { protocol: "agent-api" }), coded("wrong-source"));
  assert.throws(
    () => events(body([]).stream, { protocol: "telegraph" }),
    coded("unknown-protocol"),
  );
  assert.throws(
    () => new EventDecoder({ protocol: "agent-api", limits: { massages: 1 } }),
    coded("wrong-option"),
  );
  assert.throws(() => new EventDecoder(null), coded("wrong-argument"));
  const decoder = new EventDecoder({ protocol: "agent-api" });
  assert.throws(() => decoder.push("data: {}"), coded("wrong-chunk"));
  decoder.finish();
  assert.throws(() => decoder.push(new Uint8Array(1)), coded("finished"));
  const freed = new EventDecoder({ protocol: "agent-api" });
  freed.free();
  assert.throws(() => freed.push(new Uint8Array(1)), coded("freed"));
});
