// The accepted form of the modules: their declarations, and the functions that they import from the
// host. With
// UPDATE_SNAPSHOTS=1 the current declarations become the accepted ones; the list of imports is
// edited by hand.
import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { test } from "node:test";

const build = new URL("../../../pkg/build/", import.meta.url);
const dist = new URL("../../../pkg/dist/wasm/", import.meta.url);
const accepted = new URL("../../../pkg/api/", import.meta.url);
const modules = (await readdir(dist))
  .filter((name) => name.endsWith(".wasm"))
  .map((name) => name.replace(".wasm", ""));
const read = (folder, name) => readFile(new URL(name, folder), "utf8");

const content = (name) => readFile(new URL(`${name}.wasm`, dist));
/**
 * A build for tests installs the reader of all protocols as most other modules: those are tested in
 * a release build.
 */
const reader = await content("reader");
const standsIn = async (name) => name !== "reader" && reader.equals(await content(name));

for (const name of modules) {
  const skip =
    (await standsIn(name)) &&
    "a build for tests has another module in its place: `cargo xtask test release` tests it";
  test(`the declarations of ${name} are the accepted ones`, { skip }, async () => {
    const present = (await read(build, `${name}.d.ts`)).trim() + "\n";
    if (process.env.UPDATE_SNAPSHOTS) {
      await writeFile(new URL(`${name}.d.ts`, accepted), present);
    }
    assert.equal(
      present,
      await read(accepted, `${name}.d.ts`).catch(() => "none: accept them with UPDATE_SNAPSHOTS=1"),
    );
  });
}

test("declarations are accepted only for existing modules", async () => {
  const names = (await readdir(accepted)).filter((name) => name.endsWith(".d.ts"));
  assert.deepEqual(names.sort(), modules.map((name) => `${name}.d.ts`).sort());
});

test("the modules import exactly the functions in imports.txt", async () => {
  const listed = (await read(accepted, "imports.txt"))
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const present = new Set();
  for (const name of modules) {
    if (await standsIn(name)) {
      continue;
    }
    const glue = await read(build, `${name}.js`);
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(await content(name)));
    for (const { module, name: imported } of imports) {
      // The readers import the same functions: they are listed once, as those of `reader`.
      const listedAs =
        name === "agentwire" ? module : module.replace(`./${name}_bg.js`, "./reader_bg.js");
      present.add(`${listedAs} ${withoutHash(imported)} = ${bodyOf(glue, imported)}`);
    }
  }
  assert.deepEqual([...present].sort(), listed.sort());
});

/** The bindings generator ends names with a hash that differs between builds of the same source. */
function withoutHash(name) {
  return name.replace(/_[0-9a-f]{16}$/, "");
}

/**
 * The body of an imported function on one line. Its name alone is ambiguous: `__wbg_new` is any
 * constructor.
 */
function bodyOf(glue, name) {
  const start = glue.indexOf(`\nfunction ${name}(`);
  assert.ok(start >= 0, `the bindings have no function ${name}`);
  const [, ...lines] = glue.slice(start + 1, glue.indexOf("\n}", start)).split("\n");
  return lines.map((line) => line.trim()).join(" ");
}
