// What is held: by one reader that has read much, and by many readers.
import { ofEvents, Stream } from "./streams.mjs";

/** `agentwire`, and the memory of its wasm: the package does not show it, so its instance is caught while it is made. */
async function watched() {
  let memory;
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args) {
      const instance = new target(...args);
      memory = instance.exports.memory;
      return instance;
    },
  });
  const { Decoder } = await import("agentwire");
  return { Decoder, wasmBytes: () => memory.buffer.byteLength };
}

/** 200 MB of text in deltas of 1,000 characters through one reader. */
export async function streamed() {
  const { Decoder, wasmBytes } = await watched();
  const before = heapBytes();
  const decoder = new Decoder();
  const stream = new Stream();
  const message = stream.open();
  const piece = "0123456789".repeat(100);
  for (let sent = 0; sent < 200_000; sent += 64) {
    for (let at = 0; at < 64 && sent + at < 200_000; at++) {
      stream.delta(message, piece);
    }
    // The stream would keep a second text.
    message.text = "";
    decoder.push(stream.take());
  }
  const { response } = decoder.finish();
  const characters = response.output[0].content[0].text.length;
  if (characters !== 200e6) {
    throw new Error(`${characters} characters arrived instead of 200,000,000`);
  }
  return { wasm: wasmBytes(), heap: heapBytes() - before };
}

/** 10,000 readers in the middle of their streams, each with a snapshot that somebody holds. */
export async function concurrent() {
  const { Decoder, wasmBytes } = await watched();
  const wasmBefore = wasmBytes();
  const before = heapBytes();
  const whole = ofEvents(20);
  const beginning = whole.subarray(0, Math.floor(whole.length * 0.8));
  const held = [];
  for (let count = 0; count < 10_000; count++) {
    const decoder = new Decoder();
    held.push({ decoder, snapshot: decoder.push(beginning).snapshot });
  }
  const result = { readers: held.length, wasm: wasmBytes(), wasmBefore, heap: heapBytes() - before };
  held.forEach(({ decoder }) => decoder.free());
  return result;
}

function heapBytes() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
