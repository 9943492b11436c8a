// The package in Node: each entry point by itself, in a thread with its own modules.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { consumer, expected, protocols, runNode } from "./package.mjs";

test("an ES module imports the package and can use it immediately", async () => {
  const folder = await consumer("node-esm");
  assert.deepEqual(await runNode(folder, "main.mjs"), [expected, expected]);
});

test("a CommonJS module requires the package", async () => {
  const folder = await consumer("node-require");
  assert.deepEqual(await runNode(folder, "main.cjs"), expected);
});

const readers = ["reader", ...protocols];
let results;
before(async () => {
  const folder = await consumer("node-esm");
  for (const name of readers) {
    await writeFile(join(folder, `${name}.mjs`), READER.replace("{{name}}", name));
  }
  await writeFile(join(folder, "readers.mjs"), READERS);
  results = await runNode(folder, "readers.mjs", ...readers);
});

for (const name of readers) {
  test(`an ES module imports agentwire/${name} and can use it immediately`, () => {
    assert.deepEqual(results[name], [true, expected]);
  });
}

const READER = `import { parentPort } from "node:worker_threads";
import * as agentwire from "agentwire/{{name}}";
import { exercise } from "./exercise.mjs";

parentPort.postMessage([agentwire.ready(), exercise(agentwire)]);
`;

const READERS = `import { once } from "node:events";
import { Worker } from "node:worker_threads";

const results = {};
for (const name of process.argv.slice(2)) {
  const worker = new Worker(new URL(name + ".mjs", import.meta.url));
  [results[name]] = await once(worker, "message");
  await worker.terminate();
}
console.log(JSON.stringify(results));
`;

for (const source of ["bytes", "module"]) {
  test(`slim is initialized with ${source}`, async () => {
    const folder = await consumer("slim-node");
    const { notWasm, ...report } = await runNode(folder, "main.mjs", source);
    assert.match(notWasm, /WebAssembly/);
    assert.deepEqual(report, {
      readyAtImport: false,
      tooEarly: "agentwire is not initialized: await init() first",
      withoutSource:
        "agentwire/slim carries no wasm: call init(source) with a module, bytes, or a response",
      readyAtEnd: true,
      outcome: expected,
    });
  });
}
