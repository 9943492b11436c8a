// Counts of connections that expire unless they are renewed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Counts, RENEWAL, VALID } from "../../support/runs_modules.mjs";

test("a count is valid until it is replaced, set to 0 or expired", () => {
  const counts = new Counts();
  const set = (thread, count, now) => counts.set("ann", "connections", thread, count, now);
  assert.equal(set("one", 100, 0), 100);
  assert.equal(set("two", 3, 1), 103);
  assert.equal(set("one", 50, RENEWAL), 53);
  assert.equal(set("two", 0, RENEWAL), 50);
  assert.equal(set("two", 1, RENEWAL + VALID), 51);
  assert.equal(set("two", 1, RENEWAL + VALID + 1), 1);
  assert.equal(counts.set("ann", "runs", "two", 1, 0), 1, "another kind");
  assert.equal(counts.set("eve", "connections", "two", 1, 0), 1, "another user");
});

test("a count stays valid if two renewals are missed, and for at most ten seconds", () => {
  assert.ok(3 * RENEWAL <= VALID && VALID <= 10_000);
});
