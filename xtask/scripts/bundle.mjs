// Bundles the modules that Node imports into a few files: `bundle.mjs dist outdir name=entry …`.
// Loading a file takes Node time, and loading all modules takes longer than reading a short answer
// (`cargo xtask bench`, cold start). The code that entry points share is one file, so that it
// exists once if several are used.
import { copyFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const [dist, outdir, ...names] = process.argv.slice(2);
// Files of the previous build may have other names.
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: names
    .map((name) => name.split("="))
    .map(([out, entry]) => ({ out, in: join(dist, entry) })),
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: "shared-[hash]",
  format: "esm",
  target: "es2022",
  // Large text that needs no bundling, and optional peer dependencies.
  external: [join(dist, "*.inline.js"), "aws4fetch", "jose"],
  // Without further imports, each set of entry points with common code would get a file of its own:
  // so all of them import the modules of reading, the store and runs, and those of the toolkit its
  // modules, too.
  ignoreAnnotations: true,
  plugins: [{ name: "one-shared-file", setup: shareReading }],
  logLevel: "warning",
});

// It contains only hooks, and imports the store in the same folder.
copyFileSync(join(dist, "react.js"), join(outdir, "react.js"));

function shareReading({ onLoad }) {
  onLoad(
    { filter: /(entries[\\/][\w-]+[\\/]node|dist[\\/](store|server[\\/]node_listener))\.js$/ },
    async ({ path }) => {
      const toolkit = /entries[\\/](agentwire|server|runs-server)[\\/]/.test(path)
        ? ["index.js", "server.js"]
        : [];
      const shared = [
        "reading.js",
        "runs/reading.js",
        "core/load.js",
        "core/random.js",
        ...toolkit,
      ].map((name) => `import ${JSON.stringify(join(dist, name))};\n`);
      return { contents: `${await readFile(path, "utf8")}\n${shared.join("")}`, loader: "js" };
    },
  );
}
