// Files of an environment: its sources, and the output of a bundler.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** Writes files, by their paths in the folder. */
export async function files(folder, contents) {
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** The sum of all code of a folder, as a server sends it. */
export async function bytesOf(folder, filter = /\.(m?js|wasm)$/) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) =>
      entry.isFile() && filter.test(entry.name) && !entry.parentPath.includes("node_modules"),
  );
  const sizes = files.map(
    async (file) => brotliCompressSync(await readFile(join(file.parentPath, file.name))).length,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
