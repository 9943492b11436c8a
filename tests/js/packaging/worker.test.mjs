import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";
import { consumer, expected } from "./package.mjs";

for (const compatibilityDate of COMPATIBILITY_DATES) {
  test(`an edge worker with the compatibility date ${compatibilityDate}`, async () => {
    const folder = await consumer("worker");
    const worker = await startWorker(join(folder, "worker.js"), { compatibilityDate });
    try {
      const response = await worker.dispatchFetch("http://worker/");
      assert.deepEqual(await response.json(), [expected, expected, expected, expected]);
    } finally {
      await worker.dispose();
    }
  });
}
