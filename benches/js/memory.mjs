// Memory: of one reader that has read much, and of many readers.
import { ofEvents, Stream } from "./streams.mjs";

/**
 * Returns `agentwire`, and the memory of its wasm. The package does not expose it, so the instance
 * is intercepted when it is created.
 */
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

/** Reads 200 MB of text in deltas of 1,000 characters with one reader. */
export async function streamed() {
  const { Decoder, wasmBytes } = await watched();
  const before = heapBytes(wasmBytes());
  const decoder = new Decoder();
  const stream = new Stream();
  const message = stream.open();
  const piece = "0123456789".repeat(100);
  for (let sent = 0; sent < 200_000; sent += 64) {
    for (let at = 0; at < 64 && sent + at < 200_000; at++) {
      stream.delta(message, piece);
    }
    // Otherwise the stream would keep a second text.
    message.text = "";
    decoder.push(stream.take());
  }
  const { snapshot: response } = decoder.finish();
  const characters = response.output[0].content[0].text.length;
  if (characters !== 200e6) {
    throw new Error(`${characters} characters arrived instead of 200,000,000`);
  }
  return { wasm: wasmBytes(), heap: heapBytes(wasmBytes()) - before };
}

/** Holds 10,000 readers in the middle of their streams, each with a snapshot in use. */
export async function concurrent() {
  const { Decoder, wasmBytes } = await watched();
  const wasmBefore = wasmBytes();
  const before = heapBytes(wasmBytes());
  const whole = ofEvents(20);
  const beginning = whole.subarray(0, Math.floor(whole.length * 0.8));
  const held = [];
  for (let count = 0; count < 10_000; count++) {
    const decoder = new Decoder();
    decoder.push(beginning);
    held.push({ decoder, update: decoder.update() });
  }
  const result = {
    readers: held.length,
    wasm: wasmBytes(),
    wasmBefore,
    heap: heapBytes(wasmBytes()) - before,
  };
  held.forEach(({ decoder }) => decoder.free());
  return result;
}

/** Holds one reader at its limits on counts, or in the middle of the longest event. */
export async function limited(name) {
  const { Decoder, wasmBytes } = await watched();
  const before = { wasm: wasmBytes(), heap: heapBytes(wasmBytes()) };
  const decoder = new Decoder();
  let bytes = 0;
  for (const chunk of LIMITED[name]()) {
    bytes += chunk.length;
    decoder.push(chunk);
    decoder.update();
  }
  const result = {
    name,
    bytes,
    wasm: wasmBytes() - before.wasm,
    heap: heapBytes(wasmBytes()) - before.heap,
  };
  decoder.free();
  return result;
}

const LIMITED = { "at its limits on counts": atTheLimits, "in an event of 64 MB": longEvent };

const encoder = new TextEncoder();

/**
 * Yields events up to the default limits on messages, contents, tool calls, keys of data,
 * undeclared members, violations, unknown names.
 */
function* atTheLimits() {
  const event = (json) => encoder.encode(`data: ${json}\n\n`);
  const numbers = (count) => Array.from({ length: count }, (_, at) => at);
  yield event('{"object":"response","status":"created","id":"r"}');
  for (const from of numbers(100)) {
    const calls = numbers(1_000).map((at) => {
      const id = `${from * 1_000 + at}`;
      const data = `{"type":"data","data":{"call_id":"c${id}","name":"f","arguments":"{}"}}`;
      const message = `{"object":"message","id":"m${id}","type":"function_call","status":"completed","content":[${data}]}`;
      return `data: ${message}\n\n`;
    });
    yield encoder.encode(calls.join(""));
  }
  const contents = numbers(1_000).map((at) => `{"type":"text","text":"${at}"}`);
  yield event(
    `{"object":"message","id":"m0","type":"message","status":"completed","content":[${contents}]}`,
  );
  const keys = numbers(100_000).map((at) => `"k${at}":${at}`);
  yield event(
    `{"object":"content","msg_id":"m1","index":1,"type":"data","delta":true,"data":{${keys}}}`,
  );
  const members = numbers(1_000).map((at) => `"u${at}":${at}`);
  yield event(`{"object":"response","status":"in_progress",${members}}`);
  for (const at of numbers(2_000)) {
    yield event(`{"object":"kind ${at}"}`);
  }
}

function* longEvent() {
  yield encoder.encode('data: {"object":"response","status":"created","usage":"');
  const piece = new Uint8Array(64 * 1024).fill(97);
  for (let sent = 0; sent < 64 * 1024 * 1024 - 2 * piece.length; sent += piece.length) {
    yield piece;
  }
}

/** Returns the bytes of JavaScript's memory without the memory of the wasm, which Node includes. */
function heapBytes(wasm) {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external - wasm;
}
