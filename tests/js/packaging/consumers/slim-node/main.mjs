import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as agentwire from "agentwire/slim";
import { exercise } from "./exercise.mjs";

const attempt = (work) =>
  Promise.resolve()
    .then(work)
    .then(
      () => "no error",
      (error) => error.message,
    );

const bytes = await readFile(fileURLToPath(import.meta.resolve("agentwire/agentwire.wasm")));
const source = process.argv[2] === "module" ? await WebAssembly.compile(bytes) : bytes;

const report = { readyAtImport: agentwire.ready() };
report.tooEarly = await attempt(() => agentwire.version());
report.withoutSource = await attempt(() => agentwire.init());
report.notWasm = await attempt(() => agentwire.init(new Uint8Array(8)));
// A failed attempt is not the end, calls at the same time are one, and a later call costs nothing.
await Promise.all([agentwire.init(source), agentwire.init(source)]);
await agentwire.init(source);
report.readyAtEnd = agentwire.ready();
report.outcome = exercise(agentwire);
console.log(JSON.stringify(report));
