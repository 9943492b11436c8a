// The package as a user gets it: packed, and installed from the tarball into a project outside this
// repository.
import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const pkg = join(here, "../../pkg");
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

export const manifest = JSON.parse(await readFile(join(pkg, "package.json"), "utf8"));

/** The result of `exercise` for every consumer. */
export const expected = { version: manifest.version };

/** The readers of one protocol: the entry points with a module of their own, besides that of all. */
export const protocols = Object.keys(manifest.exports)
  .map((name) => name.slice(2))
  .filter((name) => name !== "reader" && existsSync(join(pkg, `dist/wasm/${name}.wasm`)));

let packed;

/** The path of the tarball, created once per test file. */
export function tarball() {
  packed ??= (async () => {
    const folder = await temporaryFolder("agentwire-pack-");
    const { stdout } = await run(npm, ["pack", "--json", "--pack-destination", folder], {
      cwd: pkg,
    });
    return join(folder, JSON.parse(stdout)[0].filename);
  })();
  return packed;
}

/** Copies a folder of `consumers`, installs the tarball in it, and returns its path. */
export async function consumer(name) {
  const folder = await temporaryFolder(`agentwire-${name}-`);
  await cp(join(here, "consumers", name), folder, { recursive: true });
  await cp(join(here, "consumers/exercise.mjs"), join(folder, "exercise.mjs"));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name, private: true, type: "module" }),
  );
  // Offline: a package without dependencies has to install without a registry.
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  await run(npm, ["install", ...flags, await tarball()], { cwd: folder });
  return folder;
}

/** Runs a program; if it fails, the error has its output. */
export async function run(program, args, options) {
  try {
    return await execute(program, args, { ...options, maxBuffer: 64 << 20 });
  } catch (error) {
    throw new Error(
      `${program} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? error.message}`,
    );
  }
}

/** Runs a script of a consumer with this node and reads the JSON that it prints. */
export async function runNode(folder, ...args) {
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
  if (stderr !== "") {
    throw new Error(`${args.join(" ")} printed a warning:\n${stderr}`);
  }
  return JSON.parse(stdout);
}

async function temporaryFolder(prefix) {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  // Not at the end of a test: the tarball serves all tests of a file.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
