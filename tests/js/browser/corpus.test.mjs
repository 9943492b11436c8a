import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, withPage } from "./test.mjs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { cases } from "../node/support/cases.mjs";
import { writeShapes } from "../support/shapes.mjs";
import { serve } from "../support/serve.mjs";

const entries = { agentwire: "corpus.page.mjs", "agentwire/reader": "reader_corpus.page.mjs" };

await writeShapes();

for (const [which, name] of Object.entries(entries)) {
  test(`in Chromium ${which} reads every case of the corpus at any chunk boundary`, async (context) => {
    const entry = fileURLToPath(new URL(name, import.meta.url));
    const folder = await mkdtemp(join(tmpdir(), "agentwire-corpus-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    // The package's browser entry, as a bundler takes it.
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
      '<!doctype html><title>corpus</title><script type="module" src="page.js"></script>',
    );
    const server = await serve(folder);
    context.after(() => server.close());
    await withPage(`${server.url}/`, async (page) => {
      await page.waitForFunction(() => globalThis.complaintsAbout !== undefined);
      for (const { stream, ...wanted } of await cases()) {
        const found = await page.evaluate((given) => globalThis.complaintsAbout(given), {
          ...wanted,
          stream: [...stream],
        });
        assert.deepEqual(found, [], wanted.path);
      }
    });
  });
}
