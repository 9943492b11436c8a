// Reads cases of the corpus and random programs in the edge runtime.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { writeShapes } from "../support/shapes.mjs";
import { startWorker } from "../support/worker.mjs";
import { PROGRAMS } from "./programs.mjs";

/** The workers with the modules of these entry points. */
const WORKERS = { agentwire: "agentwire.worker.mjs", "agentwire/reader": "reader.worker.mjs" };

/** Starts the worker of an entry point, until the end of the test. */
async function started(context, name, compatibilityDate) {
  await writeShapes();
  const entry = fileURLToPath(new URL(WORKERS[name], import.meta.url));
  const worker = await startWorker(entry, { compatibilityDate });
  context.after(() => worker.dispose());
  return async (path, body) =>
    (await worker.dispatchFetch(`http://localhost${path}`, { method: "POST", body })).json();
}

/** Reads each case with all chunk sizes. */
export async function assertReads(context, name, compatibilityDate, cases) {
  const post = await started(context, name, compatibilityDate);
  for (const wanted of cases) {
    const body = JSON.stringify({ ...wanted, stream: [...wanted.stream] });
    assert.deepEqual(await post("/", body), [], wanted.path);
  }
}

/** Reads the stream of each program. */
export async function assertReadsPrograms(context, name, compatibilityDate) {
  const post = await started(context, name, compatibilityDate);
  assert.deepEqual(await post("/programs", await readFile(PROGRAMS)), []);
}
