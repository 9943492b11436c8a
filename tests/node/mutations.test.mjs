// Recordings that something has happened to: cut, doubled, spliced, bits changed. Whatever comes of them, nothing traps,
// and what is converted is legal. `MUTATIONS=100000` looks longer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Converter, Decoder } from "agentwire";
import { cases } from "./cases.mjs";

const ROUNDS = Number(process.env.MUTATIONS ?? 3000);
const recordings = (await cases()).map(({ stream }) => Buffer.from(stream.slice(0, 20_000)));

/** The same numbers every time, from 0 to 1. */
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
}

const random = numbers(ROUNDS);
const below = (limit) => Math.floor(random() * limit);

const MUTATIONS = [
  (bytes) => (bytes.writeUInt8(below(256), below(bytes.length)), bytes),
  (bytes) => Buffer.concat([bytes.subarray(0, below(bytes.length)), bytes.subarray(below(bytes.length))]),
  (bytes) => bytes.subarray(0, below(bytes.length)),
  (bytes) => {
    const other = recordings[below(recordings.length)];
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(below(other.length), below(other.length)), bytes.subarray(at)]);
  },
  (bytes) => {
    const events = bytes.toString("latin1").split("\n\n");
    events.splice(below(events.length), 0, events[below(events.length)]);
    return Buffer.from(events.join("\n\n"), "latin1");
  },
];

function mutated() {
  let bytes = Buffer.from(recordings[below(recordings.length)]);
  for (let left = 1 + below(6); left > 0; left--) {
    bytes = MUTATIONS[below(MUTATIONS.length)](bytes.length > 0 ? bytes : Buffer.from(" "));
  }
  return bytes;
}

test(`${ROUNDS} mutated recordings are read and converted`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = mutated();
    for (const protocol of ["auto", "agent-api", "ag-kit"]) {
      const limits = random() < 0.2 ? { messages: 2, contents: 1, contentBytes: 5, dataNodes: 3, jsonDepth: 3 } : {};
      const reader = new Decoder({ protocol, limits, mode: random() < 0.2 ? "strict" : "lenient" });
      for (let at = 0, length; at < bytes.length; at += length) {
        length = 1 + below(3000);
        reader.push(bytes.subarray(at, at + length));
      }
      reader.finish();
    }
    for (const to of ["agent-api", "ag-kit"]) {
      const converter = new Converter({ from: "auto", to });
      const written = Buffer.concat([converter.push(bytes), converter.finish()]);
      const reader = new Decoder({ protocol: to });
      reader.push(written);
      // Arguments that are no JSON stay what they are.
      const broken = reader.finish().report.violations.filter(({ rule }) => rule !== "arguments-not-json");
      assert.deepEqual(broken, [], `round ${round}:\n${bytes}`);
    }
  }
});
