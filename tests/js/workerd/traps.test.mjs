import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const entry = fileURLToPath(new URL("traps.worker.mjs", import.meta.url));
const failed = "TrapError core-trapped: He";

for (const compatibilityDate of COMPATIBILITY_DATES) {
  test(`in workerd of ${compatibilityDate} a trap ends its stream, and others only if their state is lost`, async (context) => {
    const worker = await startWorker(entry, { compatibilityDate });
    context.after(() => worker.dispose());
    const ask = async (path) => (await worker.dispatchFetch(`http://localhost${path}`)).json();
    // Again and again: the worker lives on.
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await ask("/panic"), {
        broken: failed,
        other: "Hello",
        next: "Hello",
        run: "Hello",
      });
      assert.deepEqual(await ask("/wild"), {
        broken: failed,
        other: failed,
        next: "Hello",
        run: "Hello",
      });
    }
  });
}
