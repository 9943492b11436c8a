import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const entries = {
  agentwire: "programs.worker.mjs",
  "agentwire/reader": "reader_programs.worker.mjs",
};
const programs = new URL(
  "../../data/corpus/agent-api/build_random_programs/programs.jsonl.gz",
  import.meta.url,
);

for (const compatibilityDate of COMPATIBILITY_DATES) {
  describe(`in workerd of ${compatibilityDate}`, () => {
    for (const [which, entry] of Object.entries(entries)) {
      test(`${which}: the events of the official builder yield the snapshot of its objects`, async (context) => {
        const worker = await startWorker(fileURLToPath(new URL(entry, import.meta.url)), {
          compatibilityDate,
        });
        context.after(() => worker.dispose());
        const response = await worker.dispatchFetch("http://localhost/", {
          method: "POST",
          body: await readFile(programs),
        });
        assert.deepEqual(await response.json(), []);
      });
    }
  });
}
