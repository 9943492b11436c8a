// The first and the second pass of a fresh process:
// `node cold_pass.mjs agentwire|warmed|javascript <file>`. Imports only the modules of the pass;
// the time of importing is reported separately. `warmed` calls `warm()` first, as a page does while
// it waits for the answer's first byte.
import { readFileSync } from "node:fs";
import { digestOf } from "./digest.mjs";

const [who, file] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));
const chunks = [];
for (let from = 0; from < bytes.length; from += 2048) {
  chunks.push(bytes.slice(from, from + 2048));
}

const PASSES = {
  async agentwire() {
    return passOf(await import("agentwire/reader"));
  },

  async warmed() {
    const reader = await import("agentwire/reader");
    await reader.warm();
    return passOf(reader);
  },

  async javascript() {
    const { feed, mutableState, reduceMutable } = await import("./baseline.mjs");
    return () => {
      const state = mutableState();
      feed(chunks, (event) => reduceMutable(state, JSON.parse(event.data)));
      return state.order;
    };
  },
};

function passOf({ Decoder }) {
  return () => {
    const decoder = new Decoder();
    for (const chunk of chunks) {
      decoder.push(chunk);
    }
    return decoder.finish().snapshot.output;
  };
}

function timed(pass) {
  const before = performance.now();
  const result = pass();
  return { milliseconds: performance.now() - before, result };
}

const before = performance.now();
const pass = await PASSES[who]();
const imported = performance.now() - before;
const first = timed(pass);
const second = timed(pass);
const times = { imported, first: first.milliseconds, second: second.milliseconds };
console.log(JSON.stringify({ ...times, digest: digestOf(first.result) }));
