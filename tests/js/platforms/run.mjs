// `cargo xtask test platforms`: the packed tarball in every runtime, bundler and framework, and a
// table of the results.
//
//   node tests/js/platforms/run.mjs [--quick] [name …]
//
// The tools are those of package.json, installed into target/platforms/tools. `--quick` runs the
// rows that need no tool. The package has to be built.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expected } from "./exercise.mjs";
import { HOMES } from "./homes.mjs";
import { run } from "../support/process.mjs";

const execute = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const tools = fileURLToPath(new URL("../../../target/platforms/tools", import.meta.url));
const quick = process.argv.includes("--quick");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (!quick) {
  await installTools();
}

const work = join(tools, "homes");
const { version } = JSON.parse(await readFile(join(here, "../../../pkg/package.json"), "utf8"));

/** Installs the tools, unless the lock file is the one of the last installation. */
async function installTools() {
  await mkdir(tools, { recursive: true });
  const lock = (folder) =>
    readFile(join(folder, "package-lock.json"), "utf8").catch(() => undefined);
  // It has the settings of the tools in addition to their versions, which the lock file repeats.
  await copyFile(join(here, "package.json"), join(tools, "package.json"));
  if ((await lock(here)) === (await lock(tools)) && existsSync(join(tools, "node_modules"))) {
    return;
  }
  await copyFile(join(here, "package-lock.json"), join(tools, "package-lock.json"));
  // `npm ci` refuses a lock file that does not name the binaries of every platform. This uses the
  // versions of the lock file, too, and does not change it.
  const options = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error"];
  await execute("npm", ["install", ...options], { cwd: tools }).catch(async (error) => {
    // A row whose tool is missing is reported as not run.
    await rm(join(tools, "package-lock.json"), { force: true });
    console.error(`the tools could not be installed: ${error.message}`);
  });
}

/** The package as npm installs it from the tarball. */
async function install() {
  await rm(work, { recursive: true, force: true });
  const installed = join(work, "node_modules/agentwire");
  await mkdir(installed, { recursive: true });
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", work], {
    cwd: join(here, "../../../pkg"),
    maxBuffer: 64 << 20,
  });
  const [{ filename, size }] = JSON.parse(stdout);
  await execute("tar", ["-xzf", join(work, filename), "-C", installed, "--strip-components=1"]);
  return { installed, size };
}

const NODE = /^node\d+$/;

/** The program of a tool; undefined if it is not here. */
function find(name) {
  const places = [
    NODE.test(name)
      ? join(tools, "node_modules", name, "bin/node")
      : join(tools, "node_modules/.bin", name),
    ...(process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)),
    name,
  ];
  return places.find((path) => path.includes("/") && existsSync(path));
}

class Missing extends Error {}

const { installed, size } = await install();
console.log(`agentwire ${version}, tarball ${kilobytes(size)}`);
const rows = [];
for (const { name, needs, note, quick: isQuick, shared, run: tryHome } of HOMES) {
  if (
    wanted.length > 0 &&
    !wanted.some((word) => name.toLowerCase().includes(word.toLowerCase()))
  ) {
    continue;
  }
  const begun = performance.now();
  const row = { name, result: "works", bytes: "", first: "", note: note ?? "" };
  rows.push(row);
  if (quick && !isQuick) {
    row.result = "not run: left out of the quick run";
    continue;
  }
  const folder = join(work, shared ?? name.replace(/\W+/g, "-"));
  await mkdir(folder, { recursive: true });
  await cp(join(here, "exercise.mjs"), join(folder, "exercise.mjs"));
  const tool = (program) => {
    const found = find(program);
    if (found === undefined) {
      throw new Missing(`${program} is not installed`);
    }
    return found;
  };
  try {
    if (needs !== undefined) {
      tool(needs);
    }
    const { outcome, bytes } = await tryHome({ folder, tool, package: installed });
    const { first, ...rest } = outcome;
    assert.deepEqual(rest, expected(version));
    row.first = `${first} ms`;
    row.bytes = bytes === undefined ? "" : kilobytes(bytes);
  } catch (error) {
    row.result = error instanceof Missing ? `not run: ${error.message}` : "FAILS";
    if (!(error instanceof Missing)) {
      console.error(`${name}: ${error.stack ?? error}`);
      process.exitCode = 1;
    }
  }
  console.error(`${name}: ${row.result}, in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

console.log(
  "\n| home | result | first snapshot | code, brotli | what a user has to do |\n|---|---|---|---|---|",
);
for (const { name, result, first, bytes, note } of rows) {
  console.log(`| ${name} | ${result} | ${first} | ${bytes} | ${note || "nothing"} |`);
}
const left = rows.filter(({ result }) => result.startsWith("not run"));
console.log(`\n${rows.length - left.length} homes tried, ${left.length} not run`);

// The recipes of docs/guides/servers.md for Deno, Bun and Next, and the sockets of Deno, which the other
// suites do not run.
if (!quick && wanted.length === 0) {
  const recipes = ["../node/http/servers.test.mjs", "sockets.test.mjs"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const missing = ["deno", "bun", "next"].filter((program) => find(program) === undefined);
  if (missing.length > 0) {
    console.log(`recipes not run: ${missing.join(", ")} not installed`);
  } else {
    try {
      const said = await run(process.execPath, ["--test", "--test-reporter=spec", ...recipes], {
        cwd: work,
        env: { AGENTWIRE_TOOLS: tools },
      });
      console.log(`recipes of servers: ${said.match(/pass (\d+)/)[1]} work`);
    } catch (error) {
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
// Ends tools that still run after their row: their output is not needed.
process.exit();
