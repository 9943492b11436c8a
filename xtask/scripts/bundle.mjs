// Puts the modules of the package that Node imports into few files: `bundle.mjs dist outdir name=entry …`. Each file
// takes Node time, all of them more than reading a short answer (`cargo xtask bench`, cold start). What the entries
// share are files too, so that they are one package where both are used.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const [dist, outdir, ...names] = process.argv.slice(2);
// The names of older files that were shared are other ones.
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => name.split("=")).map(([out, entry]) => ({ out, in: join(dist, entry) })),
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: "shared-[hash]",
  format: "esm",
  target: "es2022",
  // Text that needs no bundling, and is large.
  external: [join(dist, "*.inline.js"), "react"],
  logLevel: "warning",
});
