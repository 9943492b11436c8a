import assert from "node:assert/strict";
import { test } from "node:test";
import { consumer, expected, runNode } from "./package.mjs";

test("node imports it and can use it at once", async () => {
  const folder = await consumer("node-esm");
  assert.deepEqual(await runNode(folder, "main.mjs"), [expected, expected]);
});

test("node requires it from CommonJS", async () => {
  const folder = await consumer("node-require");
  assert.deepEqual(await runNode(folder, "main.cjs"), expected);
});

for (const source of ["bytes", "module"]) {
  test(`slim is initialised with ${source}`, async () => {
    const folder = await consumer("slim-node");
    const { notWasm, ...report } = await runNode(folder, "main.mjs", source);
    assert.match(notWasm, /WebAssembly/);
    assert.deepEqual(report, {
      readyAtImport: false,
      tooEarly: "agentwire is not initialised: await init() first",
      withoutSource: "agentwire/slim carries no wasm: call init(source) with a module, bytes, or a response",
      readyAtEnd: true,
      outcome: expected,
    });
  });
}
