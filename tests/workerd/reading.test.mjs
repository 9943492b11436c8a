import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { cases } from "../node/cases.mjs";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const entry = fileURLToPath(new URL("reading.worker.mjs", import.meta.url));

for (const compatibilityDate of COMPATIBILITY_DATES) {
  describe(`in workerd of ${compatibilityDate}`, () => {
    test("reads every case of the corpus however it is cut", async (context) => {
      const worker = await startWorker(entry, { compatibilityDate });
      context.after(() => worker.dispose());
      for (const wanted of await cases()) {
        const body = JSON.stringify({ ...wanted, stream: [...wanted.stream] });
        const response = await worker.dispatchFetch("http://localhost/", { method: "POST", body });
        assert.deepEqual(await response.json(), [], wanted.name);
      }
    });
  });
}
