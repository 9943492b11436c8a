// Texts that are read as JSON while they grow. Each appended piece is parsed once, when it arrives: reading a single character of
// the whole text takes time proportional to its length, because the engine joins the pieces first.

import type { Json } from "./agentwire.js";
import { PartialJson } from "./partial_json.js";

/** A text that was looked at. */
interface Growing {
  text: string;
  readonly json: PartialJson;
}

/** By the object that holds the text, in a snapshot or in the next one. */
const growing = /* @__PURE__ */ new WeakMap<object, Growing>();
/** Streams whose texts are never read as JSON cost nothing. */
let isUsed = false;

/** Returns the value of a text so far. `holder` is the object whose member it is, if any; `isWhole`: no more of it is expected. */
export function partialOf(text: string, holder: object | undefined, isWhole: boolean): Json | undefined {
  let known = holder && growing.get(holder);
  if (known?.text !== text) {
    known = { text, json: new PartialJson() };
    known.json.push(text);
    if (holder !== undefined) {
      growing.set(holder, known);
      isUsed = true;
    }
  }
  return known.json.value(isWhole);
}

/** Parses a piece that was appended to a text of an object. */
export function grew(holder: object, before: string, piece: string, after: string): void {
  const known = isUsed ? growing.get(holder) : undefined;
  if (known?.text === before) {
    known.text = after;
    known.json.push(piece);
  }
}

/** Keeps the parsers of an object for its copy. */
export function copied(from: object, to: object): void {
  const known = isUsed ? growing.get(from) : undefined;
  if (known !== undefined) {
    growing.set(to, known);
  }
}
