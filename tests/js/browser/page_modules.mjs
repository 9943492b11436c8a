// The playground's own modules in node, where they can be called one by one.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Bundles a module of `www/page` and imports it; the package stays outside, so that there is one
 * core.
 */
export async function pageModule(name) {
  // Inside the repository, so that the bundle finds the package.
  const folder = await mkdtemp(join(root, "node_modules/.page-"));
  try {
    const outfile = join(folder, "module.mjs");
    await build({
      entryPoints: [join(root, "www/page", name)],
      outfile,
      bundle: true,
      format: "esm",
      external: ["agentwire"],
      logLevel: "silent",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
