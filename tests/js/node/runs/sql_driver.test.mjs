// Drivers of `sqlStore` that are written by users.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sqlStore } from "agentwire/stores";

test("a driver may return a thenable that is no promise of the platform", async () => {
  const executed = [];
  const store = sqlStore({
    dialect: "postgres",
    execute: (statements) => ({
      // As a query builder does: the statement is executed when `then` is called.
      then(resolve) {
        executed.push(...statements);
        queueMicrotask(() => resolve(statements.map(() => [{ log: "a" }])));
      },
    }),
  });
  const head = { at: 1, data: "{}" };
  assert.equal(await store.append("a", 0, [{ position: 1, text: "x" }], head), true);
  assert.equal(await store.delete("a"), undefined);
  assert.equal(executed.length, 3);
});
