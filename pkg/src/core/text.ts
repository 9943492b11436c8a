// Strings in the core's memory. Short strings beyond ASCII are stored as UTF-16, which every engine
// reads many times as fast as UTF-8. Long strings are stored as UTF-8: decoders are fast with
// those, and UTF-16 would take twice the space.

/** The length below which a loop over the units is faster than a call to a decoder. */
const SHORT_TEXT_LENGTH = 32;
/** The same length in browsers, where a call costs more than in Node. */
const MEDIUM = 128;
/** The number of bytes per decoder call; decoders become slow on inputs above 64 KiB. */
const DECODED = 32 * 1024;

// Node's UTF-8 decoders have two code paths: one is much faster with ASCII, and slower with
// everything else. The first use of a decoder with `stream: true` switches it to the other path
// permanently.
const asciiDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const pieceDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const wideDecoder = /* @__PURE__ */ new TextDecoder("utf-16le", { ignoreBOM: true });
const widePieceDecoder = /* @__PURE__ */ new TextDecoder("utf-16le", { ignoreBOM: true });
const MORE = { stream: true };

/** The number of bytes of a long string that determine the decoder. */
const LOOK = 1024;
/** Whether the last long string was ASCII, which predicts the next one. */
let ascii = true;
/** The length from which a decoder is called. */
let long = MEDIUM;

/** A method of Node's `Buffer` that converts bytes to a string. */
type Slice = (this: Uint8Array, from: number, to: number) => string;
interface Slices {
  readonly latin1Slice?: Slice;
  readonly ucs2Slice?: Slice;
}
let latin1Slice: Slice | undefined;
let ucs2Slice: Slice | undefined;

/**
 * Declares that decoder calls are cheap, as in Node. Node's buffers read ASCII in half the time of
 * a decoder, and UTF-16 in a third to a tenth; Deno implements them in JavaScript, where they are
 * slow.
 */
export function expectCheapCalls(): void {
  long = SHORT_TEXT_LENGTH;
  const { Buffer, Deno } = globalThis as {
    Buffer?: { readonly prototype: Slices };
    Deno?: unknown;
  };
  if (Buffer !== undefined && Deno === undefined) {
    ({ latin1Slice, ucs2Slice } = Buffer.prototype);
  }
}

/** Returns the string of `length` bytes of ASCII. */
export function asciiAt(bytes: Uint8Array, address: number, length: number): string {
  if (length < long) {
    return charactersAt(bytes, address, length);
  }
  const end = address + length;
  return latin1Slice === undefined
    ? asciiDecoder.decode(bytes.subarray(address, end))
    : latin1Slice.call(bytes, address, end);
}

/** Returns the string of `length` units of UTF-16; the address is an even number of bytes. */
export function wideAt(
  bytes: Uint8Array,
  units: Uint16Array,
  address: number,
  length: number,
): string {
  if (length < long) {
    return charactersAt(units, address >>> 1, length);
  }
  if (ucs2Slice !== undefined) {
    return ucs2Slice.call(bytes, address, address + length * 2);
  }
  return length * 2 <= DECODED
    ? wideDecoder.decode(bytes.subarray(address, address + length * 2))
    : decodedAt(widePieceDecoder, bytes, address, length * 2);
}

/** Returns the string of `length` bytes of UTF-8, which are whole characters. */
export function longAt(bytes: Uint8Array, address: number, length: number): string {
  const end = address + length;
  let text = "";
  let at = address;
  while (ascii && at < end) {
    const to = Math.min(at === address ? at + LOOK : at + DECODED, end);
    const decoded = asciiDecoder.decode(bytes.subarray(at, to));
    // A character that was cut after its first byte becomes one replacement character, so the
    // length stays equal to the number of bytes.
    ascii = decoded.length === to - at && bytes[to - 1]! <= 0x7f;
    // Text beyond ASCII may have been cut inside a character.
    if (ascii || to === end) {
      text += decoded;
      at = to;
    }
  }
  text += decodedAt(pieceDecoder, bytes, at, end - at);
  ascii = text.length === length;
  return text;
}

function decodedAt(
  decoder: TextDecoder,
  bytes: Uint8Array,
  address: number,
  length: number,
): string {
  const end = address + length;
  let text = "";
  for (let at = address; at < end; at += DECODED) {
    text += decoder.decode(bytes.subarray(at, Math.min(at + DECODED, end)), MORE);
  }
  return text;
}

/** Converts sixteen and four units at a time, because each call creates a string. */
function charactersAt(units: Uint8Array | Uint16Array, from: number, length: number): string {
  const end = from + length;
  let text = "";
  let at = from;
  for (; at + 16 <= end; at += 16) {
    text += String.fromCharCode(
      units[at]!,
      units[at + 1]!,
      units[at + 2]!,
      units[at + 3]!,
      units[at + 4]!,
      units[at + 5]!,
      units[at + 6]!,
      units[at + 7]!,
      units[at + 8]!,
      units[at + 9]!,
      units[at + 10]!,
      units[at + 11]!,
      units[at + 12]!,
      units[at + 13]!,
      units[at + 14]!,
      units[at + 15]!,
    );
  }
  for (; at + 4 <= end; at += 4) {
    text += String.fromCharCode(units[at]!, units[at + 1]!, units[at + 2]!, units[at + 3]!);
  }
  for (; at < end; at++) {
    text += String.fromCharCode(units[at]!);
  }
  return text;
}
