// The adapters for Vue and Svelte that the documents give, with the real libraries.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, withPage } from "./test.mjs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transform } from "esbuild";
import { compile } from "svelte/compiler";
import { serve } from "../support/serve.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const document = await readFile(join(root, "docs/guides/chat.md"), "utf8");

/** The maximum number of lines of an example. */
const MOST = 13;

const COMPONENT = `<script>let { state } = $props();</script><p>{$state.status} {$state.snapshot?.parts[0].text ?? ""}</p>`;

function example(name) {
  const [, code] =
    document.match(new RegExp("```ts " + name + "\\n([\\s\\S]*?)```")) ??
    assert.fail(`no example ${name}`);
  assert.ok(code.trim().split("\n").length <= MOST, `${name} is too long`);
  return code;
}

const GIVEN = {
  vue: example("vue"),
  svelte: example("svelte"),
  component: compile(COMPONENT, { generate: "client", name: "Answer" }).js.code,
};

const fromDocs = {
  name: "docs",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^docs:/ }, ({ path }) => ({ path: path.slice(5), namespace: "docs" }));
    onLoad({ filter: /./, namespace: "docs" }, ({ path }) => ({
      contents: GIVEN[path],
      loader: path === "component" ? "js" : "ts",
      resolveDir: root,
    }));
  },
};

test("in a page, a component renders the run as it grows and stops it when it unmounts", async (context) => {
  const folder = await mkdtemp(join(root, "node_modules/.adapters-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await build({
    entryPoints: { main: join(root, "tests/js/browser/adapters.page.mjs") },
    outdir: folder,
    bundle: true,
    format: "esm",
    splitting: true,
    plugins: [fromDocs],
    conditions: ["browser"],
    define: {
      __VUE_OPTIONS_API__: "false",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
      "process.env.NODE_ENV": '"production"',
    },
    logLevel: "warning",
  });
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><title>t</title><body><script type="module" src="main.js"></script>',
  );
  const server = await serve(folder);
  context.after(() => server.close());
  for (const name of ["vue", "svelte"]) {
    await withPage(`${server.url}/index.html`, async (page) => {
      await page.waitForFunction(() => globalThis.run !== undefined);
      const outcome = await page.evaluate((name) => globalThis.run(name), name);
      assert.deepEqual(
        outcome,
        { texts: ["sending ", "streaming Hel", "streaming Hello"], asked: 1, left: "" },
        name,
      );
    });
  }
});

test("on a server, the adapters send no request", async (context) => {
  const folder = await mkdtemp(join(root, "node_modules/.adapters-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  for (const name of ["vue", "svelte"]) {
    const { code } = await transform(GIVEN[name], { loader: "ts" });
    await writeFile(join(folder, `${name}.mjs`), code);
  }
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)));
  const { createStreamStore } = await import("agentwire/store");
  const store = createStreamStore(() => assert.fail("asked"));
  const { toReadable } = await load("svelte");
  const states = [];
  toReadable(store).subscribe(({ status }) => states.push(status))();
  const { createSSRApp } = await import("vue");
  const { useStore } = await load("vue");
  const { renderToString } = await import("vue/server-renderer");
  const app = createSSRApp({
    setup() {
      const state = useStore(store);
      return () => state.value.status;
    },
  });
  assert.deepEqual(
    [states, await renderToString(app), store.getSnapshot().status],
    [["idle"], "idle", "idle"],
  );
});
