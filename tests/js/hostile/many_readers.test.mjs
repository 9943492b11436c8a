// Many readers at the same time: each has the same cost, regardless of their number. An engine
// collects garbage whenever the memory grows, so the memory must not grow in small steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "../../../pkg/build/entries/agentwire.js";
import { core } from "../../../pkg/build/core/wasm.js";
import { shortRun } from "../node/support/events.mjs";

const READERS = 50_000;
const PART = 5_000;

test(`${READERS} decoders grow the memory in few steps`, (context) => {
  const [opening, text] = shortRun();
  const held = [];
  const milliseconds = [];
  let growths = 0;
  let { buffer } = core().memory;
  const start = buffer.byteLength;
  for (let part = 0; part < READERS / PART; part++) {
    const before = performance.now();
    for (let at = 0; at < PART; at++) {
      const decoder = new agentwire.Decoder();
      decoder.push(opening);
      decoder.push(text);
      held.push(decoder);
      if (core().memory.buffer !== buffer) {
        ({ buffer } = core().memory);
        growths++;
      }
    }
    milliseconds.push(performance.now() - before);
  }
  const each = (part) => ((milliseconds.at(part) / PART) * 1000).toFixed(0);
  const size = buffer.byteLength;
  context.diagnostic(
    `a reader of the first ${PART}: ${each(0)} microseconds; of the last ${PART}: ${each(-1)}`,
  );
  context.diagnostic(
    `${growths} growths from ${start} to ${size} bytes, ${((size - start) / READERS).toFixed(0)} each`,
  );
  // By an eighth each time that is 8 for each doubling.
  assert.ok(growths <= 8 * Math.log2(size / start) + 8, `${growths} growths`);
  held.forEach((decoder) => decoder.free());
  const again = Array.from({ length: READERS }, () => new agentwire.Decoder());
  assert.equal(core().memory.buffer.byteLength, size, "what was given back is used again");
  again.forEach((decoder) => decoder.free());
});
