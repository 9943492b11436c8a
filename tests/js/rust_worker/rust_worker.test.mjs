// The example of a Rust worker, in node, in a browser and in the edge runtime.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
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

/** The bindings have one instance of the program. */
let instance;
const bound = () => {
  instance ??= (async () => {
    const glue = await import(pathToFileURL(join(program, "rust_worker_bg.js")));
    return bind(
      glue,
      await WebAssembly.compile(await readFile(join(program, "rust_worker_bg.wasm"))),
    );
  })();
  return instance;
};

test("in node", async () => {
  assert.deepEqual(await exercise(await bound()), expected);
});

test("the objects have the declared types", async (context) => {
  const { conversation } = await bound();
  const folder = await mkdtemp(join(tmpdir(), "agentwire-web-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(program, "rust_worker.d.ts"), join(folder, "rust_worker.d.ts"));
  const given = conversation(
    JSON.stringify({
      input: [
        { role: "system", content: [{ type: "text", text: "Be brief." }] },
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "image", image_url: "https://a/b.png" },
          ],
        },
        {
          role: "assistant",
          type: "function_call",
          content: [{ type: "data", data: { call_id: "c", name: "f", arguments: "{}" } }],
        },
        {
          role: "tool",
          type: "function_call_output",
          content: [{ type: "data", data: { call_id: "c", output: "3" } }],
        },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
      temperature: 0.5,
    }),
  );
  assert.deepEqual(Object.keys(given.turns[2].parts[0].content), ["call"]);
  await writeFile(
    join(folder, "check.ts"),
    `import type { AgentApiSnapshot, AgKitEvent, AgUiSnapshot, NeutralConversation } from "./rust_worker.js";
     import { snapshot } from "./rust_worker.js";
     export const given: NeutralConversation = ${JSON.stringify(given)};
     const { response, toolCalls }: AgentApiSnapshot = await snapshot(new Response());
     export const status: string = response.status;
     export const states: readonly string[] = toolCalls.map(({ state }) => state);
     export const event: AgKitEvent = { type: "text", content: "a" };
     // @ts-expect-error: the content of a text is a string.
     export const other: AgKitEvent = { type: "text", content: 1 };
     export const first = (answer: AgUiSnapshot): string | undefined => answer.messages[0]?.id;
     // @ts-expect-error: a turn has parts.
     export const turn: NeutralConversation["turns"][0] = { role: "user", id: null, name: null };`,
  );
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const options = "--noEmit --strict --target es2022 --module esnext --moduleResolution bundler";
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, ...options.split(" "), "--lib", "es2022,dom,esnext.disposable", join(folder, "check.ts")],
    { encoding: "utf8" },
  );
  assert.equal(status, 0, stdout);
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
