// The native reader and the optimised wasm have the same results for the recordings, for the
// findings of the fuzz targets and for mutations of both. The suite `differential` runs
// 30,000.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Native, PREFIX, differences, filesOf, inputsFrom } from "./differential.mjs";
import { cases } from "../node/support/cases.mjs";

const ROUNDS = Number(process.env.MUTATIONS ?? 1500);
const findings = await filesOf(new URL("../../data/findings/reading/", import.meta.url));
const recordings = (await cases()).map(({ stream }) => Buffer.from(stream));

const native = new Native();
after(() => native.close());

/** Asserts that no result differs; the message has an input that reproduces the difference. */
async function assertSame(inputs) {
  const found = await differences(native, inputs);
  assert.deepEqual(
    found.map(({ input, what }) => `${input.toString("latin1")}\n${what}`),
    [],
  );
}

test("every recording and finding has the same native and wasm result in each protocol", async () => {
  const inputs = recordings.flatMap((stream, at) =>
    [0, 1, 2].map((protocol) => Buffer.concat([Buffer.of(protocol, 0, 0, at, 0, at), stream])),
  );
  await assertSame([...inputs, ...findings]);
});

test(`${ROUNDS} mutations have the same native and wasm result`, async () => {
  const short = [...recordings, ...findings.map((input) => input.subarray(PREFIX))].map((bytes) =>
    bytes.subarray(0, 20_000),
  );
  const inputs = inputsFrom(short, ROUNDS);
  for (let round = 0; round < ROUNDS; round += 200) {
    await assertSame(Array.from({ length: 200 }, () => inputs.next().value));
  }
});
