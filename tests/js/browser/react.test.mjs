// The hooks in a real page, with both versions of React that they are for.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test, withPage } from "./test.mjs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serve } from "../support/serve.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const modules = join(here, "../../../node_modules");

/** Where each version is. */
const VERSIONS = { 18: join(here, "react-18/node_modules"), 19: modules };

/** The result of each test of the page. */
const EXPECTED = {
  streams: { requests: 1, aborted: false },
  leaving: [
    [1, true],
    [1, false],
  ],
  another_stream: { first: "aborted", requests: 2 },
  shared_stream: 1,
  chat: {
    before: 0,
    greetings: ["hi", "hello", "hello"],
    same: [true, 0],
    aborted: [false, false, true],
  },
  several_chats: { aborted: [false, false, false], torn: [], requests: [1, 1, 1] },
  on_mount: 1,
  hydration: {
    html: "<p>[user before done] idle</p>",
    asked: 0,
    complaints: [],
    kept: true,
    requests: 2,
  },
  stored_hydration: { html: "<p></p>", complaints: [] },
};

for (const [version, folder] of Object.entries(VERSIONS)) {
  describe(`React ${version}`, () => {
    let pages;
    let server;
    before(async () => {
      pages = await mkdtemp(join(modules, ".react-"));
      const { version: installed } = JSON.parse(
        await readFile(join(folder, "react/package.json"), "utf8"),
      );
      assert.equal(installed.split(".")[0], version);
      await build({
        entryPoints: { main: join(here, "react.page.jsx") },
        outdir: pages,
        bundle: true,
        format: "esm",
        splitting: true,
        jsx: "automatic",
        alias: { react: join(folder, "react"), "react-dom": join(folder, "react-dom") },
        // Strict mode does things twice in development only.
        define: { "process.env.NODE_ENV": '"development"' },
        logLevel: "warning",
      });
      await writeFile(
        join(pages, "index.html"),
        '<!doctype html><title>t</title><body><script type="module" src="main.js"></script>',
      );
      server = await serve(pages);
    });
    after(async () => {
      await server?.close();
      await rm(pages, { recursive: true, force: true });
    });

    for (const [name, expected] of Object.entries(EXPECTED)) {
      test(name.replaceAll("_", " "), () =>
        withPage(`${server.url}/index.html`, async (page) => {
          await page.waitForFunction(() => globalThis.names !== undefined);
          assert.deepEqual(await page.evaluate(() => globalThis.names), Object.keys(EXPECTED));
          assert.deepEqual(await page.evaluate((name) => globalThis.run(name), name), expected);
        }),
      );
    }
  });
}
