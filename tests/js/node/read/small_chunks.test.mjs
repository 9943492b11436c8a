// Small chunks are kept until an event can end in them; the results must not show that.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "agentwire";
import { concat, pushed, shortRun } from "../support/events.mjs";

/** A stream with comments, tabs and characters of several bytes. */
const TEXT = new TextDecoder().decode(concat(shortRun())).replaceAll("data:", ":\tä\n:\ndata:\t");

/** The result of each beginning of a stream, by its length. */
function beginnings(bytes) {
  return Array.from({ length: bytes.length + 1 }, (_, length) => {
    const decoder = new Decoder({ protocol: "agent-api" });
    decoder.push(bytes.subarray(0, length));
    // A larger chunk makes the decoder read the buffered ones.
    decoder.push(new Uint8Array(1000).fill(58));
    const { snapshot, isFinal } = decoder;
    decoder.free();
    return JSON.stringify({ snapshot, isFinal });
  });
}

for (const [name, end] of Object.entries({ LF: "\n", CR: "\r", CRLF: "\r\n" })) {
  test(`an event is read with the chunk that completes it, with ${name} line ends`, () => {
    const bytes = new TextEncoder().encode(TEXT.replaceAll("\n", end));
    const expected = beginnings(bytes);
    assert.ok(new Set(expected).size >= 8);
    for (const size of [1, 2, 3, 7, 16, 33, 64]) {
      const decoder = new Decoder({ protocol: "agent-api" });
      for (let at = 0; at < bytes.length; at += size) {
        decoder.push(bytes.subarray(at, at + size));
        const { snapshot, isFinal } = decoder;
        const read = Math.min(at + size, bytes.length);
        assert.equal(
          JSON.stringify({ snapshot, isFinal }),
          expected[read],
          `${read} bytes in pieces of ${size}`,
        );
      }
      const { report } = decoder.finish();
      assert.equal(report.bytes, bytes.length);
      assert.deepEqual(report.violations, []);
    }
  });
}
