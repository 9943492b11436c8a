// Readers of one protocol, next to each other and next to the toolkit: each reads by its own
// module.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agKit from "agentwire/ag-kit/slim";
import * as agentApi from "agentwire/agent-api/slim";
import * as reader from "agentwire/reader/slim";
import * as toolkit from "agentwire/slim";
import { SharedMemory } from "../../../../pkg/build/core/shared_memory.js";

const wasm = (name) => readFile(new URL(import.meta.resolve(`agentwire/${name}.wasm`)));
const encode = (text) => new TextEncoder().encode(text);
const coded = (code) => (error) => error.name === "AgentwireError" && error.code === code;
const response = encode('data: {"object":"response","status":"created","id":"r"}\n\n');
const turn = encode('data: {"type":"text","content":"你"}\n\ndata: [DONE]\n\n');

function outcome(Decoder, bytes, options) {
  const decoder = new Decoder(options);
  decoder.push(bytes);
  return decoder.finish();
}

test("each entry point is ready after its own init(), and the root serves all of them", async () => {
  const ready = () => [agKit, agentApi, reader, toolkit].map((entry) => entry.ready());
  assert.deepEqual(ready(), [false, false, false, false]);
  await agKit.init(wasm("ag-kit"));
  assert.deepEqual(ready(), [true, false, false, false]);
  assert.throws(() => new agentApi.Decoder(), coded("not-initialized"));
  assert.throws(() => agentApi.read(new Response("")), coded("not-initialized"));
  assert.throws(() => new reader.Decoder({ protocol: "ag-kit" }), coded("not-initialized"));
  const begun = new agKit.Decoder();
  begun.push(turn.subarray(0, 20));

  await agentApi.init(wasm("agent-api"));
  assert.deepEqual(ready(), [true, true, false, false]);
  assert.equal(outcome(agentApi.Decoder, response).snapshot.id, "r");
  assert.equal(outcome(agKit.Decoder, turn).snapshot.parts[0].text, "你");

  await reader.init(wasm("reader"));
  assert.deepEqual(ready(), [true, true, true, false]);
  assert.equal(outcome(reader.Decoder, turn, { protocol: "auto" }).protocol, "ag-kit");

  await toolkit.init(wasm("agentwire"));
  assert.deepEqual(ready(), [true, true, true, true]);
  assert.equal(outcome(agKit.Decoder, turn).snapshot.parts[0].text, "你");
  // A decoder that has begun continues in its own module.
  begun.push(turn.subarray(20));
  assert.equal(begun.finish().snapshot.parts[0].text, "你");
});

test("the entry point of one protocol needs no `protocol` option and rejects another protocol", async () => {
  const { protocol, snapshot, toolCalls } = await agKit.read(streamOf(turn)).finished();
  assert.deepEqual([protocol, snapshot.status, toolCalls], ["ag-kit", "completed", []]);
  assert.equal(outcome(agKit.Decoder, turn, { protocol: "ag-kit" }).protocol, "ag-kit");
  for (const other of ["agent-api", "auto", "hologram", null, {}]) {
    assert.throws(
      () => new agKit.Decoder({ protocol: other }),
      (error) => coded("unknown-protocol")(error) && / is ag-kit$/.test(error.message),
    );
  }
  assert.throws(
    () => agKit.toolCalls(outcome(agentApi.Decoder, response).snapshot),
    coded("wrong-argument"),
  );
});

test("events() of an entry point yields the events of its protocol", async () => {
  const events = [];
  for await (const entry of agKit.events(streamOf(turn))) {
    events.push(entry.event.type);
  }
  assert.deepEqual(events, ["text", "[DONE]"]);
  const decoder = new agentApi.EventDecoder();
  assert.deepEqual(
    [...decoder.push(response), ...decoder.finish()].map(({ event }) => event.status),
    ["created"],
  );
});

test("the entry point of one protocol exports no names of other protocols", () => {
  const [one, other] = [agKit, agentApi].map((entry) => new Set(Object.keys(entry)));
  const own = [
    "CONTENT_TYPES",
    "MESSAGE_TYPES",
    "ROLES",
    "RUN_STATUSES",
    "addContent",
    "addDeltaContent",
    "contentCompleted",
  ];
  assert.deepEqual([...other].filter((name) => !one.has(name)).sort(), own);
  assert.deepEqual(
    [...one].filter((name) => !other.has(name)),
    [],
  );
});

test("wasm of another version is rejected", () => {
  const memory = { buffer: new ArrayBuffer(1024) };
  class Other {
    input = () => 0;
    header = () => 512;
  }
  assert.throws(
    () => new SharedMemory({ bindings: { Exchange: Other }, memory }),
    coded("wrong-version"),
  );
});

async function* streamOf(...chunks) {
  yield* chunks;
}
