// Strings that are parsed as JSON while they grow. Each delta is parsed once, when it arrives: reading a single
// character of the whole string takes time proportional to its length, because the engine joins the deltas first.

import type { Json } from "./agentwire.js";
import { PartialJson } from "./partial_json.js";

/** A string whose value was requested. */
interface Growing {
  text: string;
  readonly json: PartialJson;
}

/** The parsers by the object that holds the string, in a snapshot or in the next one. */
const growing = /* @__PURE__ */ new WeakMap<object, Growing>();
/** Whether any string was parsed. Other streams have no cost. */
let isUsed = false;

/**
 * Returns the value of a string so far. `holder` is the object that has the string as a property, if any; `isWhole`:
 * the string is complete.
 */
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

/** Parses a delta that was appended to a string of an object. */
export function grew(holder: object, before: string, piece: string, after: string): void {
  const known = isUsed ? growing.get(holder) : undefined;
  if (known?.text === before) {
    known.text = after;
    known.json.push(piece);
  }
}

/** Passes the parsers of an object to its copy. */
export function copied(from: object, to: object): void {
  const known = isUsed ? growing.get(from) : undefined;
  if (known !== undefined) {
    growing.set(to, known);
  }
}
