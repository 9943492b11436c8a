// The memory that JavaScript and the core share: chunks go in, patches come out.
//
// There is one such memory per module, not one per reader. So a chunk is copied in, pushed, and its patch taken up
// without anything in between.

import type { RawReader } from "./agentwire.js";
import type { Patch } from "./patch.js";
import { core } from "./wasm.js";

/** What a call into the core left, besides the patch. */
export interface Left extends Patch {
  /** How many violations the reader has found in all. */
  readonly violations: number;
  /** Whether nothing can change the answer any more. */
  readonly ended: boolean;
}

/** Larger chunks cross in pieces of this size, so the input buffer never has to grow. */
const PIECE = 64 * 1024;
/** Up to this length a loop over the bytes is faster than a call to a decoder. */
const SHORT = 24;
/** Decoders become slow on larger inputs than 64 KiB. */
const DECODED = 48 * 1024;

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
/** One of its own, because in Node a decoder that was once used for pieces stays slow. */
const pieceDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

let bytes: Uint8Array = /* @__PURE__ */ new Uint8Array(0);
let words: Uint32Array = /* @__PURE__ */ new Uint32Array(0);

/** Pushes a chunk, piece by piece, and gives what each piece left to `take`. */
export function push(reader: RawReader, chunk: Uint8Array, take: (left: Left) => void): void {
  for (let from = 0; from < chunk.length; from += PIECE) {
    const piece = chunk.length <= PIECE ? chunk : chunk.subarray(from, from + PIECE);
    const address = core().bindings.inputBuffer(PIECE);
    view();
    bytes.set(piece, address);
    reader.push(piece.length);
    take(left());
  }
}

/** What the last call into the core left. */
export function left(): Left {
  const header = core().bindings.patchHeader() >>> 2;
  view();
  const start = words[header]! >>> 2;
  return {
    words,
    start,
    end: start + words[header + 1]!,
    text: textAt(words[header + 2]!, words[header + 3]!),
    violations: words[header + 4]!,
    ended: words[header + 5] === 1,
  };
}

/** Each call into the core can make the memory grow, which leaves the old views empty. */
function view(): void {
  const { buffer } = core().memory;
  if (bytes.buffer !== buffer) {
    bytes = new Uint8Array(buffer);
    words = new Uint32Array(buffer);
  }
}

function textAt(address: number, length: number): string {
  const end = address + length;
  if (length <= SHORT) {
    let text = "";
    let at = address;
    while (at < end && bytes[at]! < 0x80) {
      text += String.fromCharCode(bytes[at++]!);
    }
    return at === end ? text : decoder.decode(bytes.subarray(address, end));
  }
  if (length <= DECODED) {
    return decoder.decode(bytes.subarray(address, end));
  }
  let text = "";
  for (let at = address; at < end; at += DECODED) {
    text += pieceDecoder.decode(bytes.subarray(at, Math.min(at + DECODED, end)), { stream: true });
  }
  return text + pieceDecoder.decode();
}
