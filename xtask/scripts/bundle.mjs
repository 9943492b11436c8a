// Makes the published files of the compiled modules: `bundle.mjs build dist`.
//
// JavaScript is bundled into one file per entry point and files that they share, because loading a
// file takes Node time, and loading all modules takes longer than reading a short answer
// (`cargo xtask bench`, cold start). An entry point has up to three forms, which share everything
// but their WebAssembly: with that of the platform (`imports` in package.json), with that of a page
// without a bundler (`page/`), and without one (`slim/`).
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { build } from "esbuild";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const [modules, dist] = process.argv.slice(2);
const manifest = JSON.parse(await readFile(join(dist, "../package.json"), "utf8"));

/** The compiled module of each entry point, by its path in `dist`. */
const ENTRIES = {
  agentwire: "entries/agentwire",
  reader: "entries/reader",
  server: "entries/server",
  runs: "entries/runs",
  "runs/server": "entries/runs_server",
  node: "server/node_listener",
  react: "react",
  rules: "rules",
  store: "store",
  stores: "stores",
  "stores/testing": "stores/testing",
};
for (const key of Object.keys(manifest.exports)) {
  const name = key.slice(2);
  // The others are protocols, and patterns.
  if (/^[\w-]+$/.test(name) && name !== "slim" && !(name in ENTRIES)) {
    ENTRIES[name] = `generated/${name.replaceAll("-", "_")}/entry`;
  }
}
const names = Object.keys(ENTRIES);
/** The entry points with a WebAssembly module. */
const loading = names.filter((name) => /(^entries\/|\/entry$)/.test(ENTRIES[name]));

const paths = names.map((name) => ({ in: join(modules, `${ENTRIES[name]}.js`), out: name }));
const forms = ["page", "slim"].flatMap((form) =>
  loading.map((name) => ({ in: `${form}:${ENTRIES[name]}`, out: `${form}/${name}` })),
);
const { metafile, outputFiles } = await build({
  entryPoints: [...paths, ...forms],
  outdir: dist,
  bundle: true,
  splitting: true,
  chunkNames: "shared/[hash]",
  format: "esm",
  target: "es2022",
  // Numbers of the contract are written where they are used, as the bundler of a page cannot do
  // across files.
  minifySyntax: true,
  external: Object.keys(manifest.peerDependencies),
  plugins: [{ name: "webassembly", setup: formsOfEntries }],
  write: false,
  metafile: true,
  logLevel: "warning",
});
// The names of these files change with their contents.
await Promise.all(
  ["shared", "types"].map((name) => rm(join(dist, name), { recursive: true, force: true })),
);
for (const { path, text } of outputFiles) {
  // Imports without names are for the order of side effects, which the modules do not have.
  await file(path, text.replace(/^import "\.[^"]*";\n/gm, ""));
}
await declarations();

/** Resolves the WebAssembly of each form of an entry point. */
function formsOfEntries({ onLoad, onResolve }) {
  onResolve({ filter: /^(page|slim):/ }, ({ path }) => {
    const [form, entry] = path.split(":");
    return { path: entry, namespace: form };
  });
  for (const form of ["page", "slim"]) {
    onLoad({ filter: /./, namespace: form }, async ({ path }) => ({
      contents: await readFile(join(modules, `${path}.js`), "utf8"),
      resolveDir: dirname(join(modules, path)),
    }));
  }
  onResolve({ filter: /^#wasm\// }, ({ path, importer, namespace }) => {
    if (namespace === "file") {
      return { path, external: true };
    }
    const entry = loading.find((name) => ENTRIES[name] === importer);
    const file = namespace === "page" ? path.replace(/^#wasm\/(.*)$/, "$1.page.js") : "none.js";
    const folder = posix.dirname(`${namespace}/${entry}`);
    return { path: posix.relative(folder, `wasm/${file}`), external: true };
  });
}

/**
 * Bundles the declarations: one file per entry point, and one for each folder of modules, so that
 * types of the same name keep it.
 */
async function declarations() {
  // Types of the core are imported as a namespace, which the plugin cannot take apart.
  const bindings = {
    name: "bindings",
    resolveId: (id, importer) =>
      importer !== undefined && join(dirname(importer), id) === join(modules, "agentwire.js")
        ? { id: join(modules, "types/bindings.d.ts"), external: "relative" }
        : null,
  };
  const inputs = Object.fromEntries(
    names.map((name) => [name, join(modules, `${ENTRIES[name]}.d.ts`)]),
  );
  const entries = new Set(Object.values(inputs));
  const bundle = await rollup({
    input: inputs,
    plugins: [bindings, dts(), { name: "types", renderChunk: withTypes }],
    external: [...Object.keys(manifest.peerDependencies), /^node:/],
    onwarn(warning) {
      // Others are about types that refer to each other, and about those that no entry point
      // exports.
      if (/UNRESOLVED|MISSING/.test(warning.code)) {
        throw new Error(warning.message);
      }
    },
  });
  await bundle.write({
    dir: dist,
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: "types/[name].d.ts",
    externalLiveBindings: false,
    hoistTransitiveImports: false,
    manualChunks: (file) =>
      entries.has(file)
        ? undefined
        : (/^(?:generated\/)?(\w+)\//.exec(file.slice(modules.length + 1))?.[1] ?? "shared"),
  });
  await bundle.close();
  const types = await readFile(join(modules, "agentwire.d.ts"), "utf8");
  await Promise.all([
    file("types/bindings.d.ts", types.replace('"./agentwire.js"', '"./bindings.js"')),
    file("wasm/none.js", "export default undefined;\n"),
    file(
      "wasm/module.d.ts",
      `/** The compiled module; any object if the declarations of the platform have no such type. */
declare const module: typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : object;
export default module;
`,
    ),
    ...loading.map((name) => {
      const path = posix.relative(posix.dirname(`slim/${name}`), name);
      return file(
        `slim/${name}.d.ts`,
        `import type { WasmSource } from "${path}.js";
export * from "${path}.js";
/**
 * Prepares the module with its WebAssembly, a file \`agentwire/….wasm\`. Further calls return the
 * result of the first one.
 *
 * @param source the compiled module, its bytes, or the response of a \`fetch\` (or a promise of one
 * of these)
 */
export declare function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void>;
`,
      );
    }),
  ]);
}

/**
 * Marks the exports of an entry point that its JavaScript does not have: the plugin forgets that
 * they were exported as types.
 */
function withTypes(code, { isEntry, name }) {
  if (!isEntry) {
    return null;
  }
  const [values] = Object.entries(metafile.outputs)
    .filter(([path]) => resolve(path) === resolve(dist, `${name}.js`))
    .map(([, { exports }]) => new Set(exports));
  const marked = (specifier) =>
    values.has(specifier.trim().split(" as ").at(-1))
      ? specifier
      : specifier.replace(/\S/, "type $&");
  return code.replace(
    /^export \{([^}]*)\}/gm,
    (_, specifiers) => `export {${specifiers.split(",").map(marked).join(",")}}`,
  );
}

/** Writes a file; `name` is its path, or that in `dist`. */
async function file(name, content) {
  const path = resolve(dist, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
