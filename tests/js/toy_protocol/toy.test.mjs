// A protocol that is declared and has a line in the registry is read, judged, converted and written
// like all others.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const at = join(process.env.TOY_PACKAGE, "build/entries/agentwire.js");
const { Converter, Decoder, EventDecoder, connect, defineProtocol } = await import(
  pathToFileURL(at).href
);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const says = (who, text, nonce) => ({ kind: "says", who, text, nonce, at: 1.5 });
const lines = (...events) =>
  encoder.encode(
    events.map((event) => `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  );
const STREAM = lines(
  says("ann", "Hel", "x"),
  says("ann", "lo 你", "y"),
  says("bob", "好 🙂", "z"),
  { kind: "bye" },
);
const ANSWER = {
  status: "over",
  why: null,
  speeches: [
    { type: "spoken", who: "ann", text: "Hello 你" },
    { type: "spoken", who: "bob", text: "好 🙂" },
  ],
};

function outcome(bytes, options = {}) {
  const reader = new Decoder({ protocol: "auto", ...options });
  for (const byte of bytes) {
    reader.push(Uint8Array.of(byte));
  }
  return reader.finish();
}

function converted(bytes, to) {
  const converter = new Converter({ from: "auto", to });
  return Buffer.concat([converter.push(bytes), converter.finish()]);
}

test("the protocol is detected by its first event, and the snapshot grows", () => {
  const { protocol, snapshot, report } = outcome(STREAM);
  assert.equal(protocol, "toy");
  assert.deepEqual(JSON.parse(JSON.stringify(snapshot)), ANSWER);
  assert.deepEqual(report.violations, []);
  assert.equal(report.events, 4);
});

test("violations are reported", () => {
  const late = Buffer.concat([STREAM, lines(says("ann", "!", "w"))]);
  const { snapshot, report } = outcome(late, { protocol: "toy" });
  assert.deepEqual(JSON.parse(JSON.stringify(snapshot)), ANSWER);
  assert.deepEqual(
    report.violations.map(({ rule, event }) => [rule, event]),
    [["after-bye", 4]],
  );
});

test("EventDecoder decodes its events", () => {
  const events = new EventDecoder({ protocol: "auto" });
  const entries = [...events.push(STREAM), ...events.finish()];
  assert.deepEqual(
    entries.map(({ event }) => event.kind),
    ["says", "says", "says", "bye"],
  );
});

test("a stream is converted to the Agent API and back", () => {
  const answer = converted(STREAM, "agent-api");
  const { protocol, snapshot, report } = outcome(answer);
  assert.equal(protocol, "agent-api");
  assert.deepEqual(report.violations, []);
  assert.deepEqual(
    snapshot.output.map(({ content }) => content[0].text),
    ["Hello 你", "好 🙂"],
  );
  const back = converted(answer, "toy");
  assert.deepEqual(JSON.parse(JSON.stringify(outcome(back).snapshot)), ANSWER);
  assert.equal(decoder.decode(back).split("\n\n").filter(Boolean).length, 4);
});

test("any protocol can be read in its form", () => {
  const turn = encoder.encode(`data: {"type":"text","content":"Hi"}\n\ndata: [DONE]\n\n`);
  const { snapshot, protocol } = outcome(turn, { as: "toy" });
  assert.equal(protocol, "toy");
  assert.deepEqual([snapshot.status, snapshot.speeches.map(({ text }) => text)], ["over", ["Hi"]]);
});

test("hub steps are written as a valid stream", () => {
  const run = [
    { type: "open", message: 1, messageType: "message", role: "assistant", id: "ann" },
    { type: "text", message: 1, part: 0, piece: "Hi" },
  ];
  const from = defineProtocol({ name: "steps", decode: (line, hub) => hub.emit(JSON.parse(line)) });
  const converter = new Converter({ from, to: "toy" });
  const bytes = encoder.encode(run.map((step) => `${JSON.stringify(step)}\n`).join(""));
  const out = Buffer.concat([converter.push(bytes), converter.finish()]);
  const { snapshot, report } = outcome(out);
  assert.deepEqual(
    [snapshot.status, snapshot.why, snapshot.speeches[0].who],
    ["failed", "incomplete", "ann"],
  );
  assert.deepEqual(report.violations, []);
});

test("connect() sends its requests", async () => {
  const bodies = [];
  const fetch = async (request) => {
    bodies.push(await request.json());
    return new Response(STREAM);
  };
  const chat = connect("http://localhost/toy", { protocol: "toy", id: "c", fetch });
  const { snapshot, messages } = await chat.send("Hi").finished();
  assert.deepEqual(JSON.parse(JSON.stringify(snapshot)), ANSWER);
  assert.deepEqual(
    messages.map(({ role, parts }) => [role, parts.map(({ text = "" }) => text).join("|")]),
    [
      ["user", "Hi"],
      ["assistant", "|Hello 你|好 🙂"],
    ],
  );
  await chat.send("Again").finished();
  const input = (text, at) => [
    { id: chat.getSnapshot().messages[at].id, role: "user", content: [{ type: "text", text }] },
  ];
  assert.deepEqual(bodies, [
    { session_id: "c", input: input("Hi", 0) },
    { session_id: "c", input: input("Again", 2) },
  ]);
});
