// A storage that an earlier version has written is refused, and stays as it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startWorker } from "../support/worker.mjs";

test("the tables of the first version are refused by every method, and not changed", async (context) => {
  const durableObjects = { LOGS: { className: "Log", useSQLite: true } };
  const worker = await startWorker(
    fileURLToPath(new URL("runs_upgrade.worker.mjs", import.meta.url)),
    { durableObjects },
  );
  context.after(() => worker.dispose());
  const { errors, names } = await (await worker.dispatchFetch("http://localhost/")).json();
  assert.deepEqual(errors, Array(4).fill("wrong-option"));
  assert.ok(names.includes("meta") && names.includes("events"), names.join());
  assert.ok(!names.includes("agentwire_logs"), names.join());
});
