// Texts from the memory of the core: every way of decoding returns the same text, for all lengths
// and characters.
import assert from "node:assert/strict";
import { test } from "node:test";

const ALPHABETS = [
  "a",
  "aé",
  "你",
  "a你",
  "😀",
  "aé你😀",
  "\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}\ufeff",
];
/** On both sides of every bound. */
const LENGTHS = [
  ...Array.from({ length: 300 }, (_, length) => length),
  1023,
  1024,
  1025,
  32767,
  32768,
  32769,
  100000,
];

/** A text of about the given number of bytes, in whole characters. */
function written(alphabet, bytes, turn) {
  const characters = [...alphabet];
  let text = "";
  let length = 0;
  for (let at = turn; length < bytes; at++) {
    const character = characters[(at * 7 + (at >> 3)) % characters.length];
    length += Buffer.byteLength(character);
    text += character;
  }
  return text;
}

for (const cheap of [false, true]) {
  test(`texts are decoded correctly where calling a TextDecoder is ${cheap ? "cheap" : "expensive"}`, async () => {
    // A separate instance of the module, because it keeps the last texts and its mode.
    const { asciiAt, expectCheapCalls, longAt, wideAt } = await import(
      `../../../../pkg/build/core/text.js?${cheap}`
    );
    if (cheap) {
      expectCheapCalls();
    }
    LENGTHS.forEach((length, turn) => {
      const ascii = written("abc", length, turn);
      assert.equal(asciiAt(new TextEncoder().encode(`before${ascii}after`), 6, length), ascii);
      for (const alphabet of ALPHABETS) {
        const text = written(alphabet, length, turn);
        const bytes = new TextEncoder().encode(`before${text}你after`);
        assert.equal(longAt(bytes, 6, Buffer.byteLength(text)), text);
        const whole = `before${text}你after`;
        const units = Uint16Array.from({ length: whole.length }, (_, at) => whole.charCodeAt(at));
        assert.equal(wideAt(new Uint8Array(units.buffer), units, 12, text.length), text);
      }
      // The first character that is not ASCII, at every position where a chunk may end.
      const text = `${"a".repeat(length)}😀${"你".repeat(200)}`;
      assert.equal(longAt(new TextEncoder().encode("a".repeat(2000)), 0, 2000).length, 2000);
      assert.equal(longAt(new TextEncoder().encode(text), 0, Buffer.byteLength(text)), text);
    });
  });
}
