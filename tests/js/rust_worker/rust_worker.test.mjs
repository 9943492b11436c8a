// The example of a Rust worker, in node, in a browser and in the edge runtime.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launchBrowser, noBrowser, withPage } from "../support/browser.mjs";
import { serve } from "../support/serve.mjs";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";
import { bind, exercise, expected } from "./exercise.mjs";

/** Where `cargo xtask test rust-worker` has put the program and its bindings. */
const program = process.env.RUST_WORKER ?? assert.fail("cargo xtask test rust-worker");
const here = fileURLToPath(new URL(".", import.meta.url));
const example = fileURLToPath(new URL("../../../examples/rust-worker", import.meta.url));

/** Returns a folder with the program and the files that run it. */
async function together(context) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-web-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const files = [
    [program, "rust_worker_bg.js"],
    [program, "rust_worker_bg.wasm"],
    [here, "exercise.mjs"],
    [here, "exercise.worker.mjs"],
    [example, "worker.mjs"],
  ];
  await Promise.all(files.map(([from, file]) => cp(join(from, file), join(folder, file))));
  return folder;
}

test("in node", async () => {
  const glue = await import(pathToFileURL(join(program, "rust_worker_bg.js")));
  const module = await WebAssembly.compile(await readFile(join(program, "rust_worker_bg.wasm")));
  assert.deepEqual(await exercise(await bind(glue, module)), expected);
});

test("in a page", { skip: noBrowser }, async (context) => {
  const folder = await together(context);
  await writeFile(join(folder, "index.html"), "<!doctype html><title>t</title>");
  const [server, browser] = await Promise.all([serve(folder), launchBrowser()]);
  context.after(() => Promise.all([server.close(), browser.close()]));
  const outcome = await withPage(browser, `${server.url}/index.html`, (page) =>
    page.evaluate(async () => {
      const [glue, { bind, exercise }] = await Promise.all([
        import("/rust_worker_bg.js"),
        import("/exercise.mjs"),
      ]);
      const module = await WebAssembly.compileStreaming(fetch("/rust_worker_bg.wasm"));
      return exercise(await bind(glue, module));
    }),
  );
  assert.deepEqual(outcome, expected);
});

for (const compatibilityDate of COMPATIBILITY_DATES) {
  test(`in workerd of ${compatibilityDate}`, async (context) => {
    const worker = await startWorker(join(await together(context), "exercise.worker.mjs"), {
      compatibilityDate,
    });
    try {
      const body = JSON.stringify({
        session_id: "s",
        input: [{ role: "user", content: [{ type: "text", text: "one two" }] }],
      });
      const answered = await worker.dispatchFetch("http://localhost/process", {
        method: "POST",
        body,
      });
      const text = await answered.text();
      assert.equal(answered.status, 200, text);
      assert.match(text, /"status":"completed".*"text":"one two"/);
      const outcome = await worker.dispatchFetch("http://localhost/exercise");
      assert.deepEqual(await outcome.json(), expected);
      const refused = await worker.dispatchFetch("http://localhost/process", {
        method: "POST",
        body: '{"input":1}',
      });
      assert.deepEqual(
        [refused.status, await refused.text()],
        [422, "input: Input should be a valid list"],
      );
    } finally {
      await worker.dispose();
    }
  });
}
