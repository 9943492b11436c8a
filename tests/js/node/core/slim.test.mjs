import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Decoder, init, parseJson, read, ready, stringifyJson } from "agentwire/slim";
import { concat, shortRun } from "../support/events.mjs";

const tooEarly = /^AgentwireError: agentwire is not initialized: await init\(\) first$/;

test("before init(), functions that need the core throw, and others work", async () => {
  assert.equal(ready(), false);
  assert.throws(() => new Decoder({ protocol: "agent-api" }), tooEarly);
  assert.throws(() => read(new Response(""), { protocol: "agent-api" }), tooEarly);
  assert.equal(stringifyJson(parseJson("[12345678901234567890]")), "[12345678901234567890]");

  await assert.rejects(init(), { name: "AgentwireError", code: "missing-argument" });
  await init(readFile(new URL(import.meta.resolve("agentwire/agentwire.wasm"))));
  assert.equal(ready(), true);
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(concat(shortRun()));
  assert.equal(decoder.finish().report.endReason, "completed");
});
