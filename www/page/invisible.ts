// Bytes as text with invisible characters marked: line ends, controls, marks without width, and
// bytes that are not UTF-8.

import { el } from "./dom.js";

/** The maximum number of bytes of one frame that are shown: a frame may contain an image. */
const MOST = 16 * 1024;

/** Returns the text of some bytes, with a tag for each invisible character. */
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

/**
 * Returns a text on one line, with line ends and other invisible characters as tags, and the spaces
 * at its ends as dots.
 */
export function visibleLine(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let plain = "";
  // A combining mark at the start of the text gets a placeholder to combine with.
  const whole = /^\p{M}/u.test(text) && nameOf(text[0]!) === undefined ? `◌${text}` : text;
  for (const character of whole.replace(/^ +| +$/g, (spaces) => "·".repeat(spaces.length))) {
    const name = nameOf(character);
    // Joiners and variation selectors within an emoji are not marked; alone they are.
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

/** Returns the name of a character that is invisible, or that changes the appearance of others. */
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

/** Yields characters, and bytes that are not part of one as numbers. */
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

/** Returns the number of bytes of the character that begins with this one. */
function lengthOf(lead: number): number {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
