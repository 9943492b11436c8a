// Packs the package and installs the tarball in a project outside of this repository, for all test
// files of a run: `pack.mjs <folder>`.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";

const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const pkg = fileURLToPath(new URL("../../../pkg", import.meta.url));

/** Returns the paths of the tarball and of the project's `node_modules`, both in the folder. */
export async function pack(folder) {
  const { stdout } = await run(npm, ["pack", "--json", "--pack-destination", folder], { cwd: pkg });
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  const project = join(folder, "installed");
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true }));
  // Offline: a package without dependencies has to install without a registry.
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  await run(npm, ["install", ...flags, tarball], { cwd: project });
  return { tarball, modules: join(project, "node_modules") };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await pack(process.argv[2])));
}
