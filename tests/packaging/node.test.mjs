import assert from "node:assert/strict";
import { test } from "node:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { consumer, expected, protocols, runNode } from "./package.mjs";

test("an ES module imports the package and can use it immediately", async () => {
  const folder = await consumer("node-esm");
  assert.deepEqual(await runNode(folder, "main.mjs"), [expected, expected]);
});

test("a CommonJS module requires the package", async () => {
  const folder = await consumer("node-require");
  assert.deepEqual(await runNode(folder, "main.cjs"), expected);
});

for (const name of ["reader", ...protocols]) {
  test(`an ES module imports agentwire/${name} and can use it immediately`, async () => {
    const folder = await consumer("node-esm");
    const program = `import * as agentwire from "agentwire/${name}";\nimport { exercise } from "./exercise.mjs";\nconsole.log(JSON.stringify([agentwire.ready(), exercise(agentwire)]));\n`;
    await writeFile(join(folder, "reader.mjs"), program);
    assert.deepEqual(await runNode(folder, "reader.mjs"), [true, expected]);
  });
}

for (const source of ["bytes", "module"]) {
  test(`slim is initialized with ${source}`, async () => {
    const folder = await consumer("slim-node");
    const { notWasm, ...report } = await runNode(folder, "main.mjs", source);
    assert.match(notWasm, /WebAssembly/);
    assert.deepEqual(report, {
      readyAtImport: false,
      tooEarly: "agentwire is not initialized: await init() first",
      withoutSource: "a `slim` entry point has no wasm: call init(source)",
      readyAtEnd: true,
      outcome: expected,
    });
  });
}
