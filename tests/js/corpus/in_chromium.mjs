// Reads cases of the corpus and random programs in a page, which a bundler has built with the
// package's entry point for browsers.
import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serve } from "../support/serve.mjs";
import { writeShapes } from "../support/shapes.mjs";
import { PROGRAMS } from "./programs.mjs";

/** The pages with the modules of these entry points. */
export const PAGES = { agentwire: "agentwire.page.mjs", "agentwire/reader": "reader.page.mjs" };

/** Serves the page of an entry point until the end of the test, and returns its address. */
async function served(context, name) {
  await writeShapes();
  const folder = await mkdtemp(join(tmpdir(), "agentwire-corpus-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await build({
    entryPoints: { page: fileURLToPath(new URL(PAGES[name], import.meta.url)) },
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
  await copyFile(PROGRAMS, join(folder, "programs.jsonl.gz"));
  const server = await serve(folder);
  context.after(() => server.close());
  return `${server.url}/`;
}

const isReady = () => globalThis.complaintsAboutPrograms !== undefined;

/** Reads each case with all chunk sizes; `withPage` opens the page. */
export async function assertReads(context, withPage, name, cases) {
  await withPage(await served(context, name), async (page) => {
    await page.waitForFunction(isReady);
    for (const { stream, ...wanted } of cases) {
      const found = await page.evaluate((given) => globalThis.complaintsAboutCase(given), {
        ...wanted,
        stream: [...stream],
      });
      assert.deepEqual(found, [], wanted.path);
    }
  });
}

/** Reads the stream of each program. */
export async function assertReadsPrograms(context, withPage, name) {
  await withPage(await served(context, name), async (page) => {
    await page.waitForFunction(isReady);
    assert.deepEqual(await page.evaluate(() => globalThis.complaintsAboutPrograms()), []);
  });
}
