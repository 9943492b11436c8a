// Texts out of the core's memory.

/** Up to this length a loop over the bytes is faster than a call to a decoder. */
const SHORT = 24;
/** Decoders become slow on larger inputs than 64 KiB. */
const DECODED = 48 * 1024;

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
/** One of its own, because in Node a decoder that was once used for pieces stays slow. */
const pieceDecoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of `length` bytes of UTF-8. */
export function textAt(bytes: Uint8Array, address: number, length: number): string {
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
