import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { consumer, manifest, protocols, run, tarball } from "./package.mjs";
import { typeErrors } from "./type_errors.mjs";

/** The most files and keys of `exports`: each file is a decision of every bundler that reads it. */
const MOST_FILES = 340;
const MOST_EXPORTS = 26;

const tool = (path) => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));

test("publint reports no problems", async () => {
  const { buffer } = new Uint8Array(await readFile(await tarball()));
  const { messages } = await publint({
    pack: { tarball: buffer },
    level: "suggestion",
    strict: true,
  });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest)),
    [],
  );
});

test("the README of the package names every entry point, and has no relative links", async () => {
  const folder = await consumer("node-esm");
  const page = await readFile(join(folder, "node_modules/agentwire/README.md"), "utf8");
  const entries = Object.keys(manifest.exports).map((name) => name.replace(/^\./, "agentwire"));
  // The page names the entry points of one kind as a group.
  const recorded = entries.filter((name) => !/slim$|\*|package\.json$/.test(name));
  assert.ok(recorded.length >= 8, `${recorded}`);
  assert.deepEqual(
    recorded.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
  assert.deepEqual(page.match(/!?\[[^\]]*\]\((?!https:)[^)]*\)/g) ?? [], []);
});

test("the package has the documentation as Markdown, and a summary for coding agents", async () => {
  const folder = join(await consumer("node-esm"), "node_modules/agentwire");
  const page = (path) => readFile(join(folder, path), "utf8");
  const list = await page("dist/llms.txt");
  const paths = [...list.matchAll(/\]\((docs\/[^)]*\.md)\): \S/g)].map(([, path]) => path);
  assert.ok(paths.length >= 35, `${paths.length}`);
  for (const path of paths) {
    const text = await page(`dist/${path}`);
    assert.match(text, /^# /, path);
    // Links lead to pages of the package, or to the repository.
    for (const [, address] of text.matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)) {
      await page(join("dist", dirname(path), address));
    }
  }
  const skill = await page("SKILL.md");
  assert.match(skill, /^---\nname: agentwire\ndescription: .+\n---\n/);
  for (const [path] of skill.matchAll(/dist\/docs\/[\w/-]+\.md/g)) {
    await page(path);
  }
});

test("the types resolve in every resolution mode", async () => {
  await run(process.execPath, [
    tool("@arethetypeswrong/cli/dist/index.js"),
    await tarball(),
    "--profile",
    "esm-only",
  ]);
});

test("the package has no dependencies, few files, and one wasm file per entry point", async () => {
  const folder = await consumer("node-esm");
  assert.deepEqual(await readdir(join(folder, "node_modules")).then(withoutDots), ["agentwire"]);
  const files = await readdir(join(folder, "node_modules/agentwire"), { recursive: true });
  assert.ok(Object.keys(manifest.exports).length <= MOST_EXPORTS);
  assert.ok(files.filter((name) => /\.\w+$/.test(name)).length <= MOST_FILES, `${files.length}`);
  const modules = ["agentwire", "reader", ...protocols].map((name) =>
    join("dist/wasm", `${name}.wasm`),
  );
  assert.deepEqual(files.filter((name) => name.endsWith(".wasm")).sort(), modules.sort());
  for (const form of ["slim", "page"]) {
    const entries = files.filter((name) => name.startsWith(join("dist", form)));
    // `agentwire/server` and `agentwire/runs/server` have the module of `agentwire`.
    assert.equal(entries.filter((name) => name.endsWith(".js")).length, modules.length + 2);
  }
  assert.ok(
    files.includes(join("dist", "LICENSE-MIT")) && files.includes(join("dist", "LICENSE-APACHE")),
  );
});

test("the package has the notices of the licenses of the crates in its modules", async () => {
  const folder = await consumer("node-esm");
  const notices = await readFile(
    join(folder, "node_modules/agentwire/dist/THIRD-PARTY-NOTICES"),
    "utf8",
  );
  const options = [
    "--no-default-features",
    "--features",
    "wasm",
    "--target",
    "wasm32-unknown-unknown",
    "--edges",
    "normal",
    "--prefix",
    "none",
    "--format",
    "{p}",
  ];
  const { stdout } = await run(
    "cargo",
    ["tree", "--locked", "--package", "agentwire", ...options],
    { cwd: fileURLToPath(new URL("../../..", import.meta.url)) },
  );
  const crates = new Set(
    stdout
      .split("\n")
      .map((line) => /^([\w-]+) v([\d.]+)/.exec(line)?.slice(1).join(" "))
      .filter((name) => name !== undefined && !name.startsWith("agentwire ")),
  );
  assert.ok(
    crates.size >= 8 &&
      ["simdutf8", "uuid", "rlsf", "wasm-bindgen"].every((name) =>
        [...crates].some((each) => each.startsWith(`${name} `)),
      ),
    [...crates].join(),
  );
  // Each is in the list above a text that grants the permission and names the owners.
  const parts = notices.split(/^-{80}$/m).slice(1);
  for (const crate of crates) {
    const part =
      parts.find((part) => part.includes(`\n${crate} (`)) ?? assert.fail(`no notice of ${crate}`);
    assert.match(part, /Permission is hereby granted|Redistribution and use|Apache License/, crate);
  }
  for (const part of parts) assert.match(part, /copyright/i);
  assert.match(notices, /The standard library of Rust/);
  assert.doesNotMatch(notices, /\.cargo|\/home\/|\/root\//);
});

test("no entry point uses the file system, a URL or await at its top level", async () => {
  const folder = await consumer("node-esm");
  const dist = join(folder, "node_modules/agentwire/dist");
  const files = await readdir(dist, { recursive: true });
  for (const name of files.filter((name) => name.endsWith(".js"))) {
    const code = await readFile(join(dist, name), "utf8");
    // Bundlers treat a literal with a base as an asset; computed and destructured addresses are not
    // matched.
    assert.doesNotMatch(
      code,
      /new URL\(\s*["'`][^)]*,|import\.meta|from "(node:)?fs|^await |^(const|let) .*= await /m,
      name,
    );
  }
});

const PAGE = { lib: ["es2022", "dom"], types: [] };
// Without the DOM library.
const NODE = { lib: ["es2022"], types: ["node"], typeRoots: [tool("@types")] };
const RESOLUTIONS = [
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
];
const projects = RESOLUTIONS.flatMap(([moduleResolution, module]) =>
  Object.entries({ "in a page": PAGE, "in Node": NODE }).map(([where, libraries]) => ({
    name: `${where} that resolves as ${moduleResolution}`,
    options: { target: "es2022", module, moduleResolution, ...libraries },
  })),
);
let errors;
for (const [at, { name }] of projects.entries()) {
  test(`a strict TypeScript project ${name} and checks its libraries`, async () => {
    errors ??= typeErrors(
      await consumer("typescript"),
      "main.ts",
      projects.map(({ options }) => options),
    );
    assert.deepEqual((await errors)[at], []);
  });
}

function withoutDots(names) {
  return names.filter((name) => !name.startsWith("."));
}
