// Counts of connections that expire unless they are renewed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageModule } from "../browser/page_modules.mjs";

const { Leases, RENEWAL, VALID } = await pageModule("../worker/runs/leases.ts");

test("a count is valid until it is replaced, is 0, or was not renewed in time", () => {
  const leases = new Leases();
  assert.equal(leases.set("one", 100, 0), 100);
  assert.equal(leases.set("two", 3, 1), 103);
  assert.equal(leases.set("one", 50, RENEWAL), 53);
  assert.equal(leases.set("two", 0, RENEWAL), 50);
  assert.equal(leases.set("two", 1, RENEWAL + VALID), 51);
  assert.equal(leases.set("two", 1, RENEWAL + VALID + 1), 1);
});

test("a renewal may be late twice, and nobody waits for more than ten seconds", () => {
  assert.ok(3 * RENEWAL <= VALID && VALID <= 10_000);
});
