import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Decoder } from "../../../../pkg/build/entries/agentwire.js";
import { core } from "../../../../pkg/build/core/wasm.js";
import { concat, pushed, shortRun } from "../support/events.mjs";
import { settled } from "../support/sources.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** The bytes in use on both sides after everything was released. */
async function inUse() {
  collect();
  // The platform removes its finalizer records in separate tasks.
  await settled();
  collect();
  return { wasm: core().memory.buffer.byteLength, heap: process.memoryUsage().heapUsed };
}

test("100,000 decoders do not leak memory", async () => {
  const [opening, text] = shortRun();
  const whole = concat(shortRun());
  const ends = [
    (decoder) => decoder.free(),
    (decoder) => decoder.abort(),
    (decoder) => {
      decoder.push(whole);
      return decoder.finish();
    },
    (decoder) => decoder[Symbol.dispose](),
  ];
  const run = (count) => {
    for (let at = 0; at < count; at++) {
      const decoder = new Decoder({ protocol: "agent-api" });
      decoder.push(opening);
      pushed(decoder, text);
      ends[at % ends.length](decoder);
    }
  };
  run(2_000);
  const before = await inUse();
  run(100_000);
  const after = await inUse();
  assert.equal(after.wasm, before.wasm);
  assert.ok(after.heap - before.heap < 500_000, `${after.heap - before.heap} more bytes`);
});

test("a long run does not retain replaced values", async () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const encoder = new TextEncoder();
  const data = (at) =>
    encoder.encode(
      `data: {"object":"content","type":"data","msg_id":"m","index":0,"delta":false,"status":"in_progress",` +
        `"data":{"arguments":"${at}${"x".repeat(1000)}"}}\n\n`,
    );
  const run = (count) => {
    for (let at = 0; at < count; at++) {
      pushed(decoder, data(at));
    }
  };
  run(2_000);
  const before = await inUse();
  run(20_000);
  const after = await inUse();
  assert.equal(after.wasm, before.wasm);
  assert.ok(after.heap - before.heap < 500_000, `${after.heap - before.heap} more bytes`);
  decoder.free();
});
