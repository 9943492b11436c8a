// The memory that JavaScript and the core share: chunks go in, patches come out.
//
// There is one such memory per module, not one per reader. So a chunk is copied in, pushed, and its patch taken up
// without anything in between.

import type { RawReader } from "./agentwire.js";
import type { Patch } from "./patch.js";
import { type Core, core } from "./wasm.js";

/** What a call into the core left, besides the patch. Holds until the next call. */
export interface Left extends Patch {
  /** How many violations the reader has found in all. */
  readonly violations: number;
  /** Whether nothing can change the answer any more. */
  readonly ended: boolean;
}

/** Larger chunks cross in pieces of this size, so the input buffer never has to grow. */
export const PIECE = 64 * 1024;
/** Up to this length a loop over the bytes is faster than a call to a decoder. */
const SHORT = 24;
/** Decoders become slow on larger inputs than 64 KiB. */
const DECODED = 48 * 1024;

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
/** One of its own, because in Node a decoder that was once used for pieces stays slow. */
const pieceDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

let owner: Core | undefined;
/** Where the input buffer and the header are. They stay where they are as long as the module lives. */
let input = 0;
let header = 0;
let bytes: Uint8Array = /* @__PURE__ */ new Uint8Array(0);
let words: Uint32Array = /* @__PURE__ */ new Uint32Array(0);

/** One object for all calls: a push must not make garbage. */
const last = { words, start: 0, end: 0, text: "", violations: 0, ended: false };

/** Pushes a piece of at most `PIECE` bytes. */
export function push(reader: RawReader, piece: Uint8Array): Left {
  view(present());
  bytes.set(piece, input);
  reader.push(piece.length);
  return left();
}

/** What the last call into the core left. */
export function left(): Left {
  view(present());
  last.words = words;
  last.start = words[header]! >>> 2;
  last.end = last.start + words[header + 1]!;
  last.text = textAt(words[header + 2]!, words[header + 3]!);
  last.violations = words[header + 4]!;
  last.ended = words[header + 5] === 1;
  return last;
}

/** The core, and with a new one the addresses in it. */
function present(): Core {
  const present = core();
  if (present !== owner) {
    owner = present;
    input = present.bindings.inputBuffer(PIECE);
    header = present.bindings.patchHeader() >>> 2;
    bytes = new Uint8Array(0);
  }
  return present;
}

/** Each call into the core can make the memory grow, which leaves the old views without length. */
function view({ memory }: Core): void {
  if (bytes.length === 0) {
    bytes = new Uint8Array(memory.buffer);
    words = new Uint32Array(memory.buffer);
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
