import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as reader from "agentwire/reader/slim";
import * as server from "agentwire/server/slim";
import * as toolkit from "agentwire/slim";
import { concat, shortRun } from "../support/events.mjs";

const tooEarly = /^AgentwireError: agentwire is not initialized: await init\(\) first$/;
const wasm = (name) => readFile(new URL(import.meta.resolve(`agentwire/${name}.wasm`)));

test("a page can start with agentwire/reader and load agentwire later without losing open streams", async () => {
  assert.equal(reader.ready(), false);
  await assert.rejects(reader.init(), /a `slim` entry point has no wasm/);
  await reader.init(wasm("reader"));
  assert.equal(reader.ready(), true);
  assert.equal(toolkit.ready(), false);
  assert.throws(() => new server.AgentApiStreamBuilder().created(), tooEarly);

  const [first, ...rest] = shortRun();
  const begun = new reader.Decoder();
  begun.push(first);
  await toolkit.init(wasm("agentwire"));
  assert.equal(toolkit.ready(), true);
  const later = new reader.Decoder();
  for (const chunk of [first, ...rest]) {
    later.push(chunk);
  }
  begun.push(concat(rest));
  assert.deepEqual(begun.finish().snapshot, later.finish().snapshot);
  assert.match(String(new server.AgentApiStreamBuilder().created()), /"status":"created"/);
});

test("agentwire exports every name of agentwire/reader", () => {
  const missing = Object.keys(reader).filter((name) => !(name in toolkit));
  assert.deepEqual(missing, []);
  assert.ok(!("convert" in reader) && !("respond" in toolkit));
});
