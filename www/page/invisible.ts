// Bytes as text in which nothing hides: line ends, controls, marks without width, and bytes that are no UTF-8.

import { el } from "./dom.js";

/** More than this of one frame is not shown: a frame can hold a whole image. */
const MOST = 16 * 1024;

/** The text of some bytes, with a small tag wherever there would be nothing to see. */
export function visibleBytes(bytes: Uint8Array): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let plain = "";
  const tag = (text: string, title: string, className = "mark") => {
    fragment.append(plain, el("span", { class: className, title }, text));
    plain = "";
  };
  for (const piece of decode(bytes.subarray(0, MOST))) {
    if (typeof piece === "number") {
      tag(piece.toString(16).toUpperCase().padStart(2, "0"), "this byte is no UTF-8", "mark bad");
      continue;
    }
    const name = nameOf(piece);
    if (name === undefined) {
      plain += piece;
    } else {
      tag(name, `U+${piece.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`);
      plain = piece === "\n" ? "\n" : "";
    }
  }
  fragment.append(plain);
  if (bytes.length > MOST) {
    fragment.append(el("span", { class: "mark" }, `… ${bytes.length - MOST} more bytes`));
  }
  return fragment;
}

/** A text on one line, with its line ends and what else cannot be seen as tags, and the spaces at its ends as dots. */
export function visibleLine(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let plain = "";
  // A mark that is to stand on a letter of another event needs something to stand on here.
  const whole = /^\p{M}/u.test(text) && nameOf(text[0]!) === undefined ? `◌${text}` : text;
  for (const character of whole.replace(/^ +| +$/g, (spaces) => "·".repeat(spaces.length))) {
    const name = nameOf(character);
    // Joiners and variants belong to the emoji that they stand in; alone they are all there is to see.
    if (name === undefined || (JOINS.test(character) && text.length > character.length)) {
      plain += character;
    } else {
      fragment.append(plain, el("span", { class: "mark" }, name));
      plain = "";
    }
  }
  fragment.append(plain);
  return fragment;
}

const JOINS = /[\u200d\ufe0e\ufe0f]/;

const NAMES: Readonly<Record<string, string>> = {
  "\t": "TAB",
  "\n": "LF",
  "\r": "CR",
  "\u007f": "DEL",
  "\u0085": "NEL",
  "\u00a0": "NBSP",
  "\u00ad": "SHY",
  "\u200b": "ZWSP",
  "\u200c": "ZWNJ",
  "\u200d": "ZWJ",
  "\u200e": "LRM",
  "\u200f": "RLM",
  "\u2028": "LS",
  "\u2029": "PS",
  "\u2060": "WJ",
  "\ufe0e": "VS15",
  "\ufe0f": "VS16",
  "\ufeff": "BOM",
  "\ufffd": "FFFD",
};

/** The name of a character that cannot be seen, or that changes how others are. */
function nameOf(character: string): string | undefined {
  const name = NAMES[character];
  if (name !== undefined) {
    return name;
  }
  const code = character.codePointAt(0)!;
  if (code < 0x20) {
    return code.toString(16).toUpperCase().padStart(2, "0");
  }
  const turnsDirection = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return turnsDirection ? code.toString(16).toUpperCase() : undefined;
}

/** Characters, and as numbers the bytes that are part of none. */
function* decode(bytes: Uint8Array): Generator<string | number> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at]!);
    try {
      yield decoder.decode(bytes.subarray(at, at + length));
      at += length;
    } catch {
      yield bytes[at++]!;
    }
  }
}

/** How many bytes the character has that begins with this one. */
function lengthOf(lead: number): number {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
