import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, withPage } from "./test.mjs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serve } from "../support/serve.mjs";

const entries = { agentwire: "programs.page.mjs", "agentwire/reader": "reader_programs.page.mjs" };
const programs = new URL(
  "../../data/corpus/agent-api/build_random_programs/programs.jsonl.gz",
  import.meta.url,
);

for (const [which, name] of Object.entries(entries)) {
  test(`in Chromium ${which}: the events of the official builder yield the snapshot of its objects`, async (context) => {
    const entry = fileURLToPath(new URL(name, import.meta.url));
    const folder = await mkdtemp(join(tmpdir(), "agentwire-programs-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    await build({
      entryPoints: { page: entry },
      outdir: folder,
      bundle: true,
      splitting: true,
      format: "esm",
      logLevel: "silent",
    });
    await writeFile(
      join(folder, "index.html"),
      '<!doctype html><title>programs</title><script type="module" src="page.js"></script>',
    );
    await copyFile(programs, join(folder, "programs.jsonl.gz"));
    const server = await serve(folder);
    context.after(() => server.close());
    await withPage(`${server.url}/`, async (page) => {
      await page.waitForFunction(() => globalThis.complaints !== undefined);
      assert.deepEqual(await page.evaluate(() => globalThis.complaints()), []);
    });
  });
}
