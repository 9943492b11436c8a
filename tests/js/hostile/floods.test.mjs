// Floods: the memory of the module grows no faster than a stream of any size. The suite
// `cost-curves` counts the instructions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Converter, Decoder } from "../../../pkg/build/entries/agentwire.js";
import { core } from "../../../pkg/build/core/wasm.js";
import { bytesOf, chunksOf, templates } from "./streams.mjs";

/** Bytes of the module's memory that a byte of a stream may cost, and that any stream may cost. */
const MEMORY = 64;
const ANY = 2 ** 21;

function read({ protocol, limits }, bytes) {
  const decoder = new Decoder({ protocol, limits });
  for (const chunk of chunksOf(bytes)) {
    decoder.push(chunk);
    decoder.update();
  }
  decoder.finish();
}

function convert({ protocol, limits }, bytes) {
  for (const to of ["agent-api", "ag-kit"]) {
    const converter = new Converter({ from: protocol, to, limits });
    for (const chunk of chunksOf(bytes)) {
      converter.push(chunk);
    }
    converter.finish();
  }
}

for (const flood of await templates("floods.json")) {
  for (const [what, work] of Object.entries({ read, convert })) {
    test(`${what}: ${flood.name} (${flood.protocol})`, () => {
      const bytes = bytesOf(flood, 8 * flood.n);
      const before = core().memory.buffer.byteLength;
      work(flood, bytes);
      const grown = core().memory.buffer.byteLength - before;
      assert.ok(
        grown <= MEMORY * bytes.length + ANY,
        `${grown} bytes of memory for ${bytes.length}`,
      );
    });
  }
}
