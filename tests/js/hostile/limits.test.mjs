// Each limit of `Limits`: a value at the limit passes, a value above it is reported with its name,
// and reading continues.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "agentwire";
import { bytesOf, templates } from "./streams.mjs";

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

for (const row of await templates("limits.json")) {
  const { limit, name, bound, value = bound, offset = 0, protocol, rule, limits } = row;
  test(`${limit}, ${name}`, () => {
    const read = (n) => {
      const decoder = new Decoder({ protocol, limits: { ...limits, [limit]: value } });
      decoder.push(bytesOf(row, n));
      return decoder.abort().report;
    };
    const fits = read(bound + offset);
    assert.equal(fits.counts[rule], undefined, JSON.stringify(fits.violations));
    const past = read(bound + offset + 1);
    assert.ok(past.counts[rule] >= 1, JSON.stringify(past));
    if (rule === "limit-exceeded") {
      assert.ok(
        past.violations.some(({ actual }) => actual.includes(`\`${snake(limit)}\``)),
        JSON.stringify(past.violations),
      );
    }
  });
}

test("limits above the supported maximum are rejected", () => {
  assert.throws(() => new Decoder({ protocol: "agent-api", limits: { jsonDepth: 513 } }), {
    code: "wrong-option",
  });
  assert.throws(() => new Decoder({ protocol: "agent-api", limits: { numberDigits: 4301 } }), {
    code: "wrong-option",
  });
  const deep = (depth) =>
    `data: {"object":"response","status":"created","usage":${"[".repeat(depth)}${"]".repeat(depth)}}\n\n`;
  const decoder = new Decoder({ protocol: "agent-api", limits: { jsonDepth: 512 } });
  decoder.push(new TextEncoder().encode(deep(511)));
  assert.equal(decoder.report.counts["malformed-event"], undefined);
  decoder.push(new TextEncoder().encode(deep(512)));
  assert.equal(decoder.report.counts["malformed-event"], 1);
  decoder.free();
});
