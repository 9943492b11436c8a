// Every sample of the documentation is a complete program: it compiles under the strict options of
// new projects and prints the output that it shows. UPDATE_SNAPSHOTS=1 writes the output into the
// pages.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { measuredRows } from "./measure_chats.mjs";
import {
  folderFor,
  outputOf,
  pages,
  root,
  samplesOf,
  show,
  shownIn,
} from "../support/programs.mjs";

/**
 * The samples that need more than Node, and the test that runs them; `compiles` is false if that
 * one also compiles them.
 */
const ELSEWHERE = {
  "README.md chat": { test: "tests/js/browser/chat_protocols.test.mjs" },
  "pkg/README.md chat": { test: "tests/js/browser/chat_samples.test.mjs" },
  "pkg/README.md slim": { test: "tests/js/packaging, with bundlers" },
  "docs/guides/chat.md react": { test: "tests/js/browser/chat_guide.test.mjs" },
  "docs/guides/chat.md react-stream": { test: "tests/js/browser/react_examples.test.mjs" },
  "docs/guides/chat.md vue": { test: "tests/js/browser/adapters.test.mjs" },
  "docs/guides/chat.md svelte": { test: "tests/js/browser/adapters.test.mjs" },
  "docs/guides/chat.md transport": {
    test: "tests/js/browser/chat_versions.test.mjs, with the declarations of the AI SDK, which need those of Node",
    compiles: false,
  },
  "docs/help/compare-chat.md compare": { test: "tests/js/browser/chat_samples.test.mjs" },
  "docs/help/compare-chat.md tanstack": {
    test: "tests/js/official_clients/more/compare_chat.test.mjs",
    compiles: false,
  },
  "docs/help/compare-chat.md ai-sdk": {
    test: "tests/js/official_clients/more/compare_chat.test.mjs",
    compiles: false,
  },
  "docs/help/compare-chat.md http-agent": { test: "none: it is compiled, for comparison" },
  // It runs here. The declarations of `ws` need those of Node.
  "docs/protocols/responses.md sockets": { compiles: false },
  "docs/protocols/runs.md client": { test: "tests/js/workerd/runs_docs.test.mjs" },
  "docs/protocols/runs.md resumable": { test: "tests/js/workerd/runs_docs.test.mjs" },
  "docs/protocols/runs.md reload": { test: "tests/js/browser/runs_reload.test.mjs" },
  "docs/guides/runs.md model": { test: "tests/js/workerd/runs_guide.test.mjs", compiles: false },
  "docs/guides/runs.md server": { test: "tests/js/workerd/runs_guide.test.mjs", compiles: false },
  "docs/guides/runs.md page": {
    test: "tests/js/workerd/runs_guide.test.mjs, with a list and a form",
    compiles: false,
  },
  "docs/guides/runs.md durable": { test: "tests/js/workerd/runs_guide.test.mjs", compiles: false },
  "docs/guides/models.md gateway": { test: "tests/js/workerd/models_guide.test.mjs" },
  "docs/quick-start.md node": { test: "tests/js/packaging/quick_start.test.mjs", compiles: false },
  "docs/quick-start.md agent": { test: "tests/js/packaging/quick_start.test.mjs", compiles: false },
  "docs/quick-start.md page": { test: "tests/js/packaging/quick_start.test.mjs", compiles: false },
  "docs/quick-start.md proxy": { test: "tests/js/packaging/quick_start.test.mjs", compiles: false },
  "docs/quick-start.md worker": {
    test: "tests/js/packaging/quick_start.test.mjs",
    compiles: false,
  },
};

/** The languages of commands, configuration and output. */
const NO_CODE = ["sh", "toml", "yaml", "text", "diff", "html"];

/** Replaces OpenAI's server by a handler of the package, which responds in the same protocol. */
const OPENAI = `
import { createHandler } from "agentwire/server";
const handler = createHandler({ protocols: ["responses"], agent: (out) => out.message().text().delta("Hello! How can I help you today?") });
globalThis.fetch = async (request) => {
  const { url, headers } = request;
  if (url !== "https://api.openai.com/v1/responses" || headers.get("authorization") !== "Bearer key") {
    throw new Error("OpenAI's server takes another request");
  }
  return handler(request);
};
`;

const samples = (await Promise.all((await pages()).map((page) => samplesOf(page)))).flat();
const idOf = ({ page, name }) => `${page} ${name}`;
const programs = samples.filter((sample) => ELSEWHERE[idOf(sample)]?.test === undefined);

test("every code block is a named program, a doc test or not code", async () => {
  const all = (
    await Promise.all(
      (
        await pages()
      ).map((page) => samplesOf(page, [...NO_CODE, "", "rust", "js", "ts", "tsx", "jsx"])),
    )
  ).flat();
  // The Rust blocks of these pages are doc tests, see src/lib.rs.
  const isTested = ({ page, language, name }) =>
    language === "rust"
      ? [
          "README.md",
          "docs/quick-start.md",
          "docs/guides/runs.md",
          "docs/guides/rust.md",
          "docs/guides/stores.md",
        ].includes(page)
      : NO_CODE.includes(language) || (language !== "" && name !== "");
  assert.deepEqual(all.filter((sample) => !isTested(sample)).map(idOf), []);
  const ids = samples.map(idOf);
  assert.deepEqual(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
    "names are unique in a page",
  );
  assert.deepEqual(
    Object.keys(ELSEWHERE).filter((id) => !ids.includes(id)),
    [],
  );
  assert.ok(programs.length >= 30, `${programs.length} programs`);
});

/** The options of new projects. */
const OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  strict: true,
  noEmit: true,
  jsx: "react-jsx",
  pretty: false,
};
const PAGE = {
  ...OPTIONS,
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
  types: [],
};
const SERVER = { ...OPTIONS, lib: ["ES2022"], types: ["node"] };

/** The declarations that a bundler and Node add to those of a page. */
const AMBIENT = `
declare module "*?url" { const url: string; export default url; }
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
`;

test("every sample compiles with the types of a page, and samples for Node also without them", async (context) => {
  const folder = await folderFor(context);
  const fileOf = (sample) =>
    `${idOf(sample).replace(/\W/g, "_")}.${sample.language === "tsx" ? "tsx" : "ts"}`;
  const compiled = samples.filter((sample) => ELSEWHERE[idOf(sample)]?.compiles !== false);
  for (const sample of compiled) await writeFile(join(folder, fileOf(sample)), sample.code);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "ambient.d.ts"), AMBIENT);
  const projects = [
    ["page", PAGE, ["ambient.d.ts", ...compiled.map(fileOf)]],
    ["server", SERVER, programs.filter((program) => compiled.includes(program)).map(fileOf)],
  ];
  for (const [name, compilerOptions, files] of projects) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files }));
    const tsc = [join(root, "node_modules/typescript/bin/tsc"), "-p", join(folder, `${name}.json`)];
    await promisify(execFile)(process.execPath, tsc).catch(({ stdout }) =>
      assert.fail(`${name}: ${stdout}`),
    );
  }
});

test("the table of compare-chat.md has the measured numbers of its samples", async () => {
  const text = await readFile(join(root, "docs/help/compare-chat.md"), "utf8");
  for (const row of await measuredRows()) assert.ok(text.includes(row), row);
});

for (const program of programs) {
  test(`${idOf(program)} prints the documented output`, async (context) => {
    const setup = program.code.includes("https://api.openai.com") ? OPENAI : "";
    const output = await outputOf(await folderFor(context), program.code, setup);
    if (process.env.UPDATE_SNAPSHOTS) return show(program, output);
    assert.equal(output, shownIn(program.code));
  });
}
