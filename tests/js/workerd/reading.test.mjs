import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { cases } from "../node/support/cases.mjs";
import { writeShapes } from "../support/shapes.mjs";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const entries = {
  agentwire: "reading.worker.mjs",
  "agentwire/reader": "reader_reading.worker.mjs",
};

await writeShapes();

for (const compatibilityDate of COMPATIBILITY_DATES) {
  describe(`in workerd of ${compatibilityDate}`, () => {
    for (const [which, entry] of Object.entries(entries)) {
      test(`${which} reads every case of the corpus at any chunk boundary`, async (context) => {
        const worker = await startWorker(fileURLToPath(new URL(entry, import.meta.url)), {
          compatibilityDate,
        });
        context.after(() => worker.dispose());
        for (const wanted of await cases()) {
          const body = JSON.stringify({ ...wanted, stream: [...wanted.stream] });
          const response = await worker.dispatchFetch("http://localhost/", {
            method: "POST",
            body,
          });
          assert.deepEqual(await response.json(), [], wanted.path);
        }
      });
    }
  });
}
