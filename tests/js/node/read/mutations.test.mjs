// Mutated recordings: truncated, doubled, spliced, with changed bits. No call traps, and each
// conversion is valid. The suite `random` runs 10,000.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Converter, Decoder } from "agentwire";
import { mutations } from "../../support/mutations.mjs";
import { cases } from "../support/cases.mjs";

const ROUNDS = Number(process.env.MUTATIONS ?? 1000);
const recordings = (await cases()).map(({ stream }) => Buffer.from(stream.slice(0, 20_000)));
const { random, below, mutated } = mutations(recordings, ROUNDS);

test(`${ROUNDS} mutated recordings are read and converted`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = mutated();
    for (const protocol of ["auto", "agent-api", "ag-kit"]) {
      const limits =
        random() < 0.2
          ? { messages: 2, contents: 1, contentBytes: 5, dataNodes: 3, jsonDepth: 3 }
          : {};
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
      // Arguments that are not JSON are copied, and so are unknown events in their own protocol,
      // which can be those of another one.
      const allowed = [
        "arguments-not-json",
        ...(converter.from === to ? ["unknown-type", "unknown-object", "unknown-protocol"] : []),
      ];
      const broken = reader
        .finish()
        .report.violations.filter(({ rule }) => !allowed.includes(rule));
      assert.deepEqual(broken, [], `round ${round}:\n${bytes}`);
    }
  }
});
