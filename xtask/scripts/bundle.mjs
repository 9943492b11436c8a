// Puts the modules of the package that Node imports into few files: `bundle.mjs dist outdir name=entry …`. Each file
// takes Node time, all of them more than reading a short answer (`cargo xtask bench`, cold start). What the entries
// share is one file, so that they are one package where several are used.
import { copyFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const [dist, outdir, ...names] = process.argv.slice(2);
// What was written last may have other names.
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => name.split("=")).map(([out, entry]) => ({ out, in: join(dist, entry) })),
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: "shared-[hash]",
  format: "esm",
  target: "es2022",
  // Text that needs no bundling, and is large.
  external: [join(dist, "*.inline.js")],
  // What only some entries share would be a file for each such set of entries: so all of them have what reading, the store and runs
  // take, and those of the toolkit what it has.
  ignoreAnnotations: true,
  plugins: [{ name: "one-shared-file", setup: shareReading }],
  logLevel: "warning",
});

// It has nothing but hooks, for the store that lies beside it.
copyFileSync(join(dist, "react.js"), join(outdir, "react.js"));

function shareReading({ onLoad }) {
  onLoad({ filter: /(entries[\\/][\w-]+[\\/]node|dist[\\/](store|node_listener))\.js$/ }, async ({ path }) => {
    const toolkit = /entries[\\/](agentwire|server|runs-server)[\\/]/.test(path) ? ["index.js", "server.js", "runs/server.js"] : [];
    const shared = ["reading.js", "runs/reading.js", "entries/base64.js", "uuid.js", ...toolkit].map((name) => `import ${JSON.stringify(join(dist, name))};\n`);
    return { contents: `${await readFile(path, "utf8")}\n${shared.join("")}`, loader: "js" };
  });
}
