// Limits of the compressed sizes (brotli) of the release build, checked by `cargo xtask test sizes`. A change that needs a
// higher limit states the reason in its commit.

/** Limits of a WebAssembly module: of the `.wasm` file, of its JavaScript, and of both in one JavaScript file. */
const modules = {
  agentwire: ["462500 B", "5200 B", "548500 B"],
  reader: ["159000 B", "1200 B", "181000 B"],
  "agent-api": ["54600 B", "1100 B", "60000 B"],
  "ag-kit": ["34400 B", "1100 B", "37500 B"],
  "ag-ui": ["70900 B", "1200 B", "79000 B"],
  responses: ["50200 B", "1100 B", "55200 B"],
  a2a: ["41400 B", "1100 B", "45300 B"],
  "ai-sdk": ["43300 B", "1100 B", "47700 B"],
  chat: ["38800 B", "1100 B", "42400 B"],
  anthropic: ["36300 B", "1100 B", "39700 B"],
  gemini: ["42600 B", "1100 B", "46600 B"],
  runs: ["77200 B", "1600 B", "86200 B"],
};

/** Limits of the JavaScript of a page: with all exports of an entry point, and with `init` and `read`. */
const entries = {
  agentwire: ["41600 B", "25100 B"],
  server: ["51700 B"],
  "runs-server": ["59800 B"],
  reader: ["32800 B", "18000 B"],
  "agent-api": ["24200 B", "14600 B"],
  "ag-kit": ["22400 B", "13800 B"],
  "ag-ui": ["23500 B", "14400 B"],
  responses: ["23600 B", "14700 B"],
  a2a: ["23800 B", "13900 B"],
  "ai-sdk": ["22700 B", "13900 B"],
  chat: ["18500 B", "14100 B"],
  anthropic: ["18800 B", "14200 B"],
  gemini: ["18800 B", "14200 B"],
  runs: ["29000 B", "14900 B"],
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
  ignore: ["*.packed.js", "*.wasm", "react", "jose", "pg", "redis", "aws4fetch"],
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
