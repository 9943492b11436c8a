// Limits of the compressed sizes (brotli) of the release build, checked by
// `cargo xtask test release`. A change that needs a higher limit states the reason in its commit.
import { readdirSync } from "node:fs";

/**
 * Limits of a WebAssembly module: of the `.wasm` file, of its JavaScript, and of both in one
 * JavaScript file.
 */
const modules = {
  agentwire: ["711100 B", "5500 B", "861000 B"],
  reader: ["191400 B", "1200 B", "221000 B"],
  "agent-api": ["61300 B", "1100 B", "67600 B"],
  agentscope: ["49200 B", "1100 B", "54600 B"],
  "ag-kit": ["41800 B", "1100 B", "45700 B"],
  "ag-ui": ["78700 B", "1100 B", "87900 B"],
  responses: ["59700 B", "1100 B", "66200 B"],
  a2a: ["48500 B", "1100 B", "53400 B"],
  "ai-sdk": ["50400 B", "1100 B", "55600 B"],
  chat: ["47800 B", "1100 B", "52300 B"],
  anthropic: ["45000 B", "1100 B", "49500 B"],
  gemini: ["49600 B", "1100 B", "54500 B"],
  interactions: ["48000 B", "1100 B", "52900 B"],
  runs: ["85000 B", "1500 B", "95300 B"],
};

/**
 * Limits of the JavaScript of a page: with all exports of an entry point, and with `init` and
 * `read`.
 */
const entries = {
  agentwire: ["64200 B", "26200 B"],
  server: ["60000 B"],
  "runs/server": ["86700 B"],
  stores: ["68300 B"],
  reader: ["54200 B", "19200 B"],
  "agent-api": ["34100 B", "14800 B"],
  agentscope: ["34200 B", "14200 B"],
  "ag-kit": ["31600 B", "14050 B"],
  "ag-ui": ["35000 B", "14500 B"],
  responses: ["35600 B", "14800 B"],
  a2a: ["34500 B", "14200 B"],
  "ai-sdk": ["32800 B", "14200 B"],
  chat: ["18700 B", "14300 B"],
  anthropic: ["18900 B", "14400 B"],
  gemini: ["18900 B", "14300 B"],
  interactions: ["20400 B", "14600 B"],
  runs: ["41400 B", "14900 B"],
};

for (const file of readdirSync("pkg/dist/wasm")) {
  const [name, end] = file.split(".");
  if (end === "wasm" && !(name in modules && name in entries)) {
    throw new Error(`${file} and its entry point have no limits in .size-limit.mjs`);
  }
}

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
