// Floods: what a stream of any size costs grows no faster than the stream, in time and in the module's memory.
// `FLOODS=1` prints it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Converter, Decoder, init } from "agentwire/slim";
import { core } from "../../pkg/dist/wasm.js";
import { bytesOf, chunksOf, templates } from "./streams.mjs";

await init(readFile(new URL(import.meta.resolve("agentwire/agentwire.wasm"))));

/** Eight times the stream may cost so many times as much. A cost that grows with the square is 64 times as much. */
const MOST = 24;
/** Milliseconds below this are the machine's noise. */
const NOISE = 10;
/** How many bytes of the module's memory a byte of a stream may cost, and what any stream may. */
const MEMORY = 64;
const ANY = 2 ** 21;

function milliseconds(work) {
  const { user, system } = process.cpuUsage();
  work();
  const since = process.cpuUsage({ user, system });
  return (since.user + since.system) / 1000;
}

const shortest = (work) => Math.min(milliseconds(work), milliseconds(work), milliseconds(work));

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
      const [small, large] = [flood.n, 8 * flood.n].map((n) => bytesOf(flood, n));
      const before = core().memory.buffer.byteLength;
      const [first, last] = [small, large].map((bytes) => shortest(() => work(flood, bytes)));
      const grown = core().memory.buffer.byteLength - before;
      if (process.env.FLOODS) {
        console.log(`${what}: ${flood.name}: ${first} ms, ${last} ms; ${large.length} bytes, ${grown} of memory`);
      }
      assert.ok(last / Math.max(first, NOISE) < MOST, `${first} ms, then ${last} ms for eight times as much`);
      assert.ok(grown <= MEMORY * large.length + ANY, `${grown} bytes of memory for ${large.length}`);
    });
  }
}
