// The package as a user gets it: packed, and installed from the tarball into a project outside this
// repository.
import { existsSync, rmSync } from "node:fs";
import { cp, link, mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack } from "./pack.mjs";

export { run, runNode } from "./run.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

export const manifest = JSON.parse(await readFile(join(here, "../../../pkg/package.json"), "utf8"));

/** The result of `exercise` for every consumer. */
export const expected = { version: manifest.version };

/**
 * The readers of one protocol: the entry points with a module of their own, besides that of all.
 */
export const protocols = Object.keys(manifest.exports)
  .map((name) => name.slice(2))
  .filter(
    (name) => name !== "reader" && existsSync(join(here, `../../../pkg/dist/wasm/${name}.wasm`)),
  );

let packed;

/** The tarball and the project in which it is installed: of the task runner, or of this file. */
function packing() {
  const given = process.env.AGENTWIRE_PACKED;
  packed ??=
    given === undefined ? temporaryFolder("agentwire-pack-").then(pack) : JSON.parse(given);
  return packed;
}

/** Returns the path of the tarball. */
export async function tarball() {
  return (await packing()).tarball;
}

/** Copies a folder of `consumers` beside the installed package, and returns its path. */
export async function consumer(name) {
  const folder = await temporaryFolder(`agentwire-${name}-`);
  await cp(join(here, "consumers", name), folder, { recursive: true });
  await cp(join(here, "consumers/exercise.mjs"), join(folder, "exercise.mjs"));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name, private: true, type: "module" }),
  );
  await linkFiles((await packing()).modules, join(folder, "node_modules"));
  return folder;
}

/** Makes a folder with links to the files of another one: an installation costs a second. */
async function linkFiles(from, to) {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? linkFiles(source, target) : link(source, target));
  }
}

async function temporaryFolder(prefix) {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  // Not at the end of a test: the tarball serves all tests of a file.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
