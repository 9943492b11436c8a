import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Decoder, init, parseJson, read, ready, stringify } from "agentwire/slim";
import { concat, shortRun } from "../support/events.mjs";

const tooEarly = /^AgentwireError: agentwire is not initialised: await init\(\) first$/;

test("before init, what needs the core says so, and what does not works", async () => {
  assert.equal(ready(), false);
  assert.throws(() => new Decoder(), tooEarly);
  assert.throws(() => read(new Response("")), tooEarly);
  assert.equal(stringify(parseJson("[12345678901234567890]")), "[12345678901234567890]");

  await init(readFile(new URL(import.meta.resolve("agentwire/agentwire.wasm"))));
  assert.equal(ready(), true);
  const decoder = new Decoder();
  decoder.push(concat(shortRun()));
  assert.equal(decoder.finish().report.ended, "terminal");
});
