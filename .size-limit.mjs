// Limits of the compressed sizes (brotli) of the release build, checked by
// `cargo xtask test sizes`. A change that needs a higher limit states the reason in its commit.

/**
 * Limits of a WebAssembly module: of the `.wasm` file, of its JavaScript, and of both in one
 * JavaScript file.
 */
const modules = {
  agentwire: ["619500 B", "5500 B", "745800 B"],
  reader: ["171400 B", "1200 B", "196100 B"],
  "agent-api": ["60800 B", "1100 B", "67100 B"],
  agentscope: ["60800 B", "1100 B", "67100 B"],
  "ag-kit": ["41400 B", "1100 B", "45300 B"],
  "ag-ui": ["78100 B", "1100 B", "87500 B"],
  responses: ["58400 B", "1100 B", "64700 B"],
  a2a: ["48100 B", "1100 B", "52900 B"],
  "ai-sdk": ["50000 B", "1100 B", "55100 B"],
  chat: ["47400 B", "1100 B", "51900 B"],
  anthropic: ["44300 B", "1100 B", "48600 B"],
  gemini: ["49200 B", "1100 B", "54100 B"],
  runs: ["84700 B", "1500 B", "94800 B"],
};

/**
 * Limits of the JavaScript of a page: with all exports of an entry point, and with `init` and
 * `read`.
 */
const entries = {
  agentwire: ["59100 B", "25500 B"],
  server: ["49000 B"],
  "runs/server": ["58300 B"],
  stores: ["6200 B"],
  reader: ["50500 B", "18200 B"],
  "agent-api": ["34100 B", "14800 B"],
  agentscope: ["34100 B", "14800 B"],
  "ag-kit": ["31600 B", "14050 B"],
  "ag-ui": ["35000 B", "14500 B"],
  responses: ["34700 B", "14800 B"],
  a2a: ["34500 B", "14200 B"],
  "ai-sdk": ["32800 B", "14200 B"],
  chat: ["18700 B", "14300 B"],
  anthropic: ["18900 B", "14400 B"],
  gemini: ["18900 B", "14300 B"],
  runs: ["41400 B", "14900 B"],
};

const file = (name, limit) => ({
  name,
  path: `pkg/${name}`,
  limit,
  modifyEsbuildConfig: (config) => ({ ...config, format: "esm", loader: { ".wasm": "copy" } }),
});

const page = (entry, what, imported, limit) => ({
  name: `${entry}, ${what}`,
  path: `pkg/dist/${entry}.js`,
  import: imported,
  ignore: ["#wasm/*", "react", "jose", "pg", "redis", "aws4fetch"],
  limit,
});

export default [
  ...Object.entries(modules).flatMap(([name, [wasm, glue, packed]]) => [
    file(`dist/wasm/${name}.wasm`, wasm),
    file(`build/${name}.js`, glue),
    file(`dist/wasm/${name}.packed.js`, packed),
  ]),
  ...Object.entries(entries).flatMap(([entry, [all, read]]) => [
    page(entry, "all exports", "*", all),
    ...(read ? [page(entry, "init and read", "{ init, read }", read)] : []),
  ]),
];
