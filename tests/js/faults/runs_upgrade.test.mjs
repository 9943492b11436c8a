// Logs that an earlier version has written are read, and can be continued.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startWorker } from "../support/worker.mjs";

test("the tables of the first version are upgraded once", async (context) => {
  const durableObjects = { LOGS: { className: "Log", useSQLite: true } };
  const worker = await startWorker(
    fileURLToPath(new URL("runs_upgrade.worker.mjs", import.meta.url)),
    { durableObjects },
  );
  context.after(() => worker.dispose());
  const upgraded = async (path) => (await worker.dispatchFetch(`http://localhost/${path}`)).json();
  const expected = {
    entries: [8, 9],
    number: 12,
    bytes: 26,
    history: ["hi", "found", "hello"],
    agents: ["u", "m", "n"],
  };
  const { generations, ...whole } = await upgraded("whole");
  assert.deepEqual(generations, ["old", "old"]);
  assert.deepEqual(whole, {
    ...expected,
    short: [
      ["a", 0],
      ["b", 0],
    ],
  });
  // Cursors of a log that was shortened then have other numbers: a new generation refuses them.
  const { generations: renamed, ...shortened } = await upgraded("shortened");
  assert.match(renamed[0], /^[0-9a-f]{8}$/);
  assert.equal(renamed[1], renamed[0]);
  assert.deepEqual(shortened, {
    ...expected,
    short: [
      ["a", 1],
      ["b", 0],
    ],
  });
});
