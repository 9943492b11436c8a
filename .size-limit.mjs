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
  agentwire: ["38700 B", "24300 B"],
  server: ["47800 B"],
  "runs-server": ["59200 B"],
  reader: ["30000 B", "17100 B"],
  "agent-api": ["22500 B", "13700 B"],
  "ag-kit": ["20800 B", "12800 B"],
  "ag-ui": ["21900 B", "13400 B"],
  responses: ["21900 B", "13700 B"],
  a2a: ["21300 B", "13000 B"],
  "ai-sdk": ["21000 B", "13000 B"],
  chat: ["17600 B", "13300 B"],
  anthropic: ["17600 B", "13400 B"],
  gemini: ["17800 B", "13300 B"],
  runs: ["27600 B", "13900 B"],
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
