import assert from "node:assert/strict";
import { copyFile, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as esbuild from "esbuild";
import * as vite from "vite";
import { launchBrowser, noBrowser, withPage } from "../support/browser.mjs";
import { serve } from "../support/serve.mjs";
import { consumer, expected, protocols } from "./package.mjs";

let browser;
before(async () => {
  browser = noBrowser ? undefined : await launchBrowser();
});
after(() => browser?.close());

const inBrowser = (name, work) => test(name, { skip: noBrowser }, work);

inBrowser("a page without a build step", async () => {
  const folder = await consumer("page");
  assert.deepEqual(await outcome(folder), {
    readyAtImport: false,
    tooEarly: "agentwire is not initialized: await init() first",
    outcome: expected,
  });
});

inBrowser(
  "a page that fetches the wasm itself, under a strict content security policy",
  async () => {
    const folder = await consumer("slim-page");
    assert.deepEqual(await outcome(folder), expected);
  },
);

inBrowser("esbuild with splitting puts the wasm into its own chunk", async () => {
  const folder = await consumer("esbuild");
  await bundle(folder, { format: "esm", splitting: true, minify: true });
  const chunks = await readdir(join(folder, "dist"));
  assert.ok(
    chunks.some((name) => name.startsWith("agentwire.packed")),
    `chunks: ${chunks}`,
  );
  assert.deepEqual(await outcome(folder), expected);
});

inBrowser("a page that imports agentwire/reader loads only its wasm", async () => {
  const folder = await consumer("reader");
  await bundle(folder, { format: "esm", splitting: true, minify: true });
  const chunks = await readdir(join(folder, "dist"));
  assert.ok(
    chunks.some((name) => name.startsWith("reader.packed")),
    `chunks: ${chunks}`,
  );
  assert.ok(!chunks.some((name) => name.startsWith("agentwire.")), `chunks: ${chunks}`);
  assert.deepEqual(await outcome(folder), expected);
});

/**
 * The names of other protocols that a bundle contains: runs are streams of AG-UI's events, and
 * their `runtime_mode` can be "chat"; the state of AG-UI has a property `runs`.
 */
const RELATED = { runs: ["ag-ui", "chat"], "ag-ui": ["runs"] };

let pages;
for (const protocol of protocols) {
  inBrowser(`a page that imports agentwire/${protocol} loads only its wasm`, async () => {
    pages ??= await consumer("reader");
    const folder = join(pages, protocol);
    await bundle(pages, {
      format: "esm",
      splitting: true,
      minify: true,
      alias: { "agentwire/reader": `agentwire/${protocol}` },
      outdir: join(folder, "dist"),
    });
    await copyFile(join(pages, "index.html"), join(folder, "index.html"));
    const chunks = await readdir(join(folder, "dist"));
    assert.deepEqual(
      chunks.filter((name) => name.includes(".packed")).map((name) => name.split(".")[0]),
      [protocol],
    );
    const code = await Promise.all(
      chunks.map((name) => readFile(join(folder, "dist", name), "utf8")),
    );
    for (const other of protocols.filter(
      (name) => name !== protocol && !RELATED[protocol]?.includes(name),
    )) {
      assert.ok(
        !code.some((text) => text.includes(`"${other}"`)),
        `${protocol}: the bundle contains ${other}`,
      );
    }
    assert.deepEqual(await outcome(folder), expected);
  });
}

inBrowser("esbuild bundles the package into one file", async () => {
  const folder = await consumer("esbuild");
  await bundle(folder, { format: "iife" });
  assert.deepEqual(await outcome(folder), expected);
});

inBrowser("vite builds the package", async () => {
  const folder = await consumer("vite");
  const warnings = [];
  const customLogger = { ...vite.createLogger("silent"), warn: (text) => warnings.push(text) };
  // Vite warns about chunks above 500 kB, and the toolkit with its inlined module is larger: 1.2 MB
  // in a build for tests.
  const build = { chunkSizeWarningLimit: 1300 };
  await vite.build({ root: folder, configFile: false, customLogger, build });
  assert.deepEqual(warnings, []);
  assert.deepEqual(await outcome(join(folder, "dist")), expected);
});

async function bundle(folder, options) {
  const { warnings } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ["main.js"],
    outdir: "dist",
    bundle: true,
    logLevel: "silent",
    ...options,
  });
  assert.deepEqual(warnings, []);
}

/** Returns the value of `globalThis.outcome` after the page of a folder has run. */
async function outcome(folder) {
  const server = await serve(folder);
  try {
    return await withPage(browser, `${server.url}/index.html`, async (page) => {
      await page.waitForFunction(() => globalThis.outcome !== undefined);
      return page.evaluate(() => globalThis.outcome);
    });
  } finally {
    await server.close();
  }
}
