// Compresses a wasm module and writes it as a module of text: `pack.mjs module.wasm module.packed.js`. The task runner has
// no compressor of its own.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [wasm, packed] = process.argv.slice(2);
const text = gzipSync(readFileSync(wasm), { level: 9 }).toString("base64");
writeFileSync(packed, `export default "${text}";\n`);
