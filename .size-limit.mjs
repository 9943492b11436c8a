// Limits of the compressed sizes (brotli) of the release build, checked by `cargo xtask test sizes`. A change that needs a
// higher limit states the reason in its commit.

/** Limits of a WebAssembly module: of the `.wasm` file, of its JavaScript, and of both in one JavaScript file. */
const modules = {
  agentwire: ["399700 B", "5000 B", "471800 B"],
  reader: ["135500 B", "1200 B", "153300 B"],
  "agent-api": ["54600 B", "1100 B", "60000 B"],
  "ag-kit": ["33800 B", "1100 B", "36900 B"],
  "ag-ui": ["72000 B", "1200 B", "80500 B"],
  responses: ["49600 B", "1100 B", "54600 B"],
  a2a: ["40500 B", "1100 B", "44400 B"],
  runs: ["83000 B", "1600 B", "93000 B"],
};

/** Limits of the JavaScript of a page: with all exports of an entry point, and with `init` and `read`. */
const entries = {
  agentwire: ["35400 B", "23000 B"],
  server: ["32900 B"],
  "runs-server": ["14400 B"],
  reader: ["27700 B", "16000 B"],
  "agent-api": ["22500 B", "13500 B"],
  "ag-kit": ["20800 B", "12800 B"],
  "ag-ui": ["21900 B", "13400 B"],
  responses: ["21900 B", "13500 B"],
  a2a: ["21300 B", "13000 B"],
  runs: ["25700 B", "13900 B"],
};

const file = (name, limit) => ({
  name,
  path: `pkg/dist/${name}`,
  limit,
  modifyEsbuildConfig: (config) => ({ ...config, format: "esm", loader: { ".wasm": "copy" } }),
});

const page = (entry, what, imported, limit) => ({
  name: `${entry}, ${what}`,
  path: `pkg/dist/entries/${entry}/browser.js`,
  import: imported,
  ignore: ["*.packed.js", "*.wasm", "react"],
  limit,
});

export default [
  ...Object.entries(modules).flatMap(([name, [wasm, glue, packed]]) => [
    file(`${name}.wasm`, wasm),
    file(`${name}.js`, glue),
    file(`${name}.packed.js`, packed),
  ]),
  ...Object.entries(entries).flatMap(([entry, [all, read]]) => [
    page(entry, "all exports", "*", all),
    ...(read ? [page(entry, "init and read", "{ init, read }", read)] : []),
  ]),
];
