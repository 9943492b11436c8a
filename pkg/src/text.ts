// Texts out of the core's memory.

/** Up to this length of ASCII a loop over the bytes is faster than a call to any decoder. */
const SHORT = 24;
/** From this length on it matters which decoder is called; up to it a loop is faster than most. */
const MATTERS = 128;
/** Decoders become slow on larger inputs than 64 KiB. */
const DECODED = 32 * 1024;
/** So much of a text shows which decoder to take. */
const LOOK = 1024;

// Node's decoders have two ways: the one is much faster than the other with ASCII, and slower with all else. A decoder
// goes the other way from its first use for a piece on.
const asciiDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const pieceDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const MORE = { stream: true };

/** Whether the last text for which it matters was ASCII: then the next one is likely to be so too. */
let ascii = true;
/** Whether calling a decoder costs next to nothing, as in Node; in browsers it costs more than most texts do. */
let callsAreCheap = false;

/** Says that calls to a decoder cost next to nothing here. */
export function expectCheapCalls(): void {
  callsAreCheap = true;
}

/** The text of `length` bytes of UTF-8, which are whole characters. */
export function textAt(bytes: Uint8Array, address: number, length: number): string {
  const end = address + length;
  if (length > SHORT) {
    return length < MATTERS ? mediumAt(bytes, address, end) : longAt(bytes, address, end);
  }
  let text = "";
  let at = address;
  // Several at a time, because each call makes a string.
  for (; at + 4 <= end; at += 4) {
    const a = bytes[at]!;
    const b = bytes[at + 1]!;
    const c = bytes[at + 2]!;
    const d = bytes[at + 3]!;
    if ((a | b | c | d) > 0x7f) {
      return text + charactersAt(bytes, at, end);
    }
    text += String.fromCharCode(a, b, c, d);
  }
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte > 0x7f) {
      return text + charactersAt(bytes, at, end);
    }
    text += String.fromCharCode(byte);
  }
  return text;
}

function mediumAt(bytes: Uint8Array, address: number, end: number): string {
  const decodes = ascii && callsAreCheap;
  const text = decodes ? asciiDecoder.decode(bytes.subarray(address, end)) : charactersAt(bytes, address, end);
  ascii = text.length === end - address;
  return text;
}

const units = /* @__PURE__ */ new Uint16Array(MATTERS);

/** A text of less than `MATTERS` bytes, character by character. */
function charactersAt(bytes: Uint8Array, address: number, end: number): string {
  let at = address;
  let count = 0;
  while (at < end) {
    const first = bytes[at++]!;
    if (first < 0x80) {
      units[count++] = first;
    } else if (first < 0xe0) {
      units[count++] = ((first & 0x1f) << 6) | (bytes[at++]! & 0x3f);
    } else {
      let code = ((first & 0xf) << 12) | ((bytes[at++]! & 0x3f) << 6) | (bytes[at++]! & 0x3f);
      if (first >= 0xf0) {
        code = ((code << 6) | (bytes[at++]! & 0x3f)) - 0x10000;
        units[count++] = 0xd800 | (code >> 10);
        code = 0xdc00 | (code & 0x3ff);
      }
      units[count++] = code;
    }
  }
  let text = "";
  let unit = 0;
  for (; unit + 16 <= count; unit += 16) {
    text += String.fromCharCode(
      units[unit]!, units[unit + 1]!, units[unit + 2]!, units[unit + 3]!,
      units[unit + 4]!, units[unit + 5]!, units[unit + 6]!, units[unit + 7]!,
      units[unit + 8]!, units[unit + 9]!, units[unit + 10]!, units[unit + 11]!,
      units[unit + 12]!, units[unit + 13]!, units[unit + 14]!, units[unit + 15]!,
    );
  }
  for (; unit + 4 <= count; unit += 4) {
    text += String.fromCharCode(units[unit]!, units[unit + 1]!, units[unit + 2]!, units[unit + 3]!);
  }
  for (; unit < count; unit++) {
    text += String.fromCharCode(units[unit]!);
  }
  return text;
}

function longAt(bytes: Uint8Array, address: number, end: number): string {
  let text = "";
  let at = address;
  while (ascii && at < end) {
    const to = Math.min(at === address ? at + LOOK : at + DECODED, end);
    const decoded = asciiDecoder.decode(bytes.subarray(at, to));
    // Of a character that was cut after its first byte there is one replacement character: as many as bytes.
    ascii = decoded.length === to - at && bytes[to - 1]! <= 0x7f;
    // What is not ASCII may have been cut inside a character.
    if (ascii || to === end) {
      text += decoded;
      at = to;
    }
  }
  while (at < end) {
    const piece = bytes.subarray(at, Math.min(at + DECODED, end));
    text += pieceDecoder.decode(piece, MORE);
    at += piece.length;
  }
  ascii = text.length === end - address;
  return text;
}
