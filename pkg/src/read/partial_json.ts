// The value of a JSON text that is still being streamed. The parser reads each character once.

import type { Json } from "../agentwire.js";
import { parseJson } from "../core/json.js";
import { put } from "../core/tables.js";

/** The maximum depth of open containers. */
const DEEPEST = 128;

type Container = Json[] | { [key: string]: Json };

/** A container that is still open. */
interface Open {
  container: Container;
  /** The number of properties, if it is an object. */
  members: number;
  /** The current property or element. */
  key: string | number;
}

/** The kind of the next character; `over`: the value does not change any more. */
type State =
  | "value"
  | "first-value"
  | "key"
  | "first-key"
  | "colon"
  | "next"
  | "text"
  | "escape"
  | "number"
  | "word"
  | "over";

/**
 * The state machine of numbers: the next state by the current one and the character; `digit` is 1
 * to 9.
 */
const NUMBER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  begin: { "-": "minus", 0: "zero", digit: "integer" },
  minus: { 0: "zero", digit: "integer" },
  zero: { 0: "wrong", digit: "wrong", ".": "point", e: "e" },
  integer: { 0: "integer", digit: "integer", ".": "point", e: "e" },
  point: { 0: "fraction", digit: "fraction" },
  fraction: { 0: "fraction", digit: "fraction", e: "e" },
  e: { 0: "exponent", digit: "exponent", "+": "sign", "-": "sign" },
  sign: { 0: "exponent", digit: "exponent" },
  exponent: { 0: "exponent", digit: "exponent" },
  wrong: {},
};
const WHOLE_NUMBERS: readonly string[] = ["zero", "integer", "fraction", "exponent"];
const WORDS: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

/**
 * The costs of copies. Returned values are immutable, so the open containers are copied after each
 * read. Copies of up to `FREE` properties are free; larger ones are paid for by the characters that
 * arrive. A property of an object costs as much as `ELEMENTS` array elements.
 */
const FREE = 128;
const PER_CHARACTER = 4;
const ELEMENTS = 16;

/** The length up to which a number without a container is shown before it ends. */
const LONGEST_NUMBER = 4300;

const SPECIAL = /["\\\u0000-\u001f]/g;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/;
const BEGINS_ESCAPE = /^\\(?:u[\da-fA-F]{0,3})?$/;
const FIRST_HALF = /^\\u[dD][89abAB]/;

/** Parses a JSON text as it grows. */
export class PartialJson {
  #state: State = "value";
  #root: Json | undefined;
  readonly #open: Open[] = [];
  /** The value that was returned last. */
  #parsed: Json | undefined;
  /**
   * Whether `#given` is the current value, so that the open containers must be copied before a
   * write.
   */
  #isGiven = false;
  /** The number of properties that may be copied. */
  #paid = FREE;
  #wasWhole = false;
  /**
   * The certain part of the current string, and a first surrogate half, which becomes certain with
   * the next character.
   */
  #text = "";
  #half = "";
  /** The part of the string that the value contains. */
  #shown: string | undefined;
  #isKey = false;
  /** The text of the current number, word or escape. */
  #token = "";
  #number = "begin";

  /** Parses the next delta. */
  push(piece: string): void {
    this.#paid += piece.length * PER_CHARACTER;
    for (let at = 0; at < piece.length && this.#state !== "over"; ) {
      at = this.#state === "text" ? this.#readText(piece, at) : this.#readCharacter(piece, at);
    }
  }

  /**
   * Returns the certain part of the value, as `ToolCall.partialArguments` describes it. It is
   * immutable, and shares its unchanged parts with the next value.
   *
   * @param isWhole whether the text is complete: a copy that is not paid for is then made once
   */
  value(isWhole: boolean): Json | undefined {
    if (this.#state === "number" && this.#open.length === 0) {
      // The only kind of number that is shown before it ends.
      return WHOLE_NUMBERS.includes(this.#number) && this.#token.length <= LONGEST_NUMBER
        ? parseJson(this.#token)
        : undefined;
    }
    const cost = this.#open.reduce(
      (sum, { container, members }) =>
        sum + (Array.isArray(container) ? container.length / ELEMENTS : members),
      0,
    );
    const isDue = cost <= FREE || cost <= this.#paid || (isWhole && !this.#wasWhole);
    if (isDue) {
      this.#show();
      if (!this.#isGiven) {
        this.#isGiven = true;
        this.#parsed = this.#root;
        this.#paid -= cost > FREE ? cost : 0;
      }
    }
    this.#wasWhole ||= isWhole;
    return this.#parsed;
  }

  #readText(piece: string, from: number): number {
    SPECIAL.lastIndex = from;
    const at = SPECIAL.test(piece) ? SPECIAL.lastIndex - 1 : piece.length;
    if (at > from) {
      this.#text += this.#half + piece.slice(from, at);
      this.#half = "";
    }
    if (at === piece.length) {
      return at;
    }
    if (piece[at] === "\\") {
      this.#token = "";
      this.#state = "escape";
      return at;
    }
    if (piece[at] !== '"') {
      return this.#stop(at);
    }
    this.#text += this.#half;
    if (this.#isKey) {
      this.#named(this.#text);
    } else {
      this.#end(this.#text);
    }
    return at + 1;
  }

  /**
   * Reads a character and returns the next position: the same one if the character ends a number.
   */
  #readCharacter(piece: string, at: number): number {
    const character = piece[at]!;
    switch (this.#state) {
      case "escape":
        return this.#readEscape(character, at);
      case "number":
        return this.#readNumber(character, at);
      case "word":
        return this.#readWord(character, at);
    }
    if (" \n\r\t".includes(character)) {
      return at + 1;
    }
    const top = this.#open.at(-1);
    const isArray = Array.isArray(top?.container);
    switch (this.#state) {
      case "colon":
        this.#state = "value";
        return character === ":" ? at + 1 : this.#stop(at);
      case "first-key":
      case "key":
        if (character === "}" && this.#state === "first-key") {
          return this.#close(at);
        }
        this.#beginText(true);
        return character === '"' ? at + 1 : this.#stop(at);
      case "next":
        if (character === ",") {
          this.#state = isArray ? "value" : "key";
          if (isArray) {
            (top!.key as number)++;
          }
          return at + 1;
        }
        return character === (isArray ? "]" : "}") ? this.#close(at) : this.#stop(at);
      default:
        return character === "]" && this.#state === "first-value"
          ? this.#close(at)
          : this.#beginValue(character, at);
    }
  }

  #beginValue(character: string, at: number): number {
    if (character === "{" || character === "[") {
      if (this.#open.length === DEEPEST) {
        return this.#stop(at);
      }
      const container: Container = character === "[" ? [] : {};
      this.#place(container);
      this.#open.push({ container, members: 0, key: 0 });
      this.#state = character === "[" ? "first-value" : "first-key";
      return at + 1;
    }
    if (character === '"') {
      this.#beginText(false);
      return at + 1;
    }
    this.#token = "";
    this.#number = "begin";
    this.#state = Object.hasOwn(WORDS, character) ? "word" : "number";
    return at;
  }

  #beginText(isKey: boolean): void {
    this.#text = this.#half = "";
    this.#shown = undefined;
    this.#isKey = isKey;
    this.#state = "text";
  }

  #readEscape(character: string, at: number): number {
    const token = (this.#token += character);
    if (!ESCAPE.test(token)) {
      return BEGINS_ESCAPE.test(token) ? at + 1 : this.#stop(at);
    }
    const text = this.#half + (JSON.parse(`"${token}"`) as string);
    const isHalf = FIRST_HALF.test(token);
    this.#text += isHalf ? "" : text;
    this.#half = isHalf ? text : "";
    this.#state = "text";
    return at + 1;
  }

  #readNumber(character: string, at: number): number {
    const next =
      NUMBER[this.#number]![
        character >= "1" && character <= "9" ? "digit" : character === "E" ? "e" : character
      ];
    if (next !== undefined) {
      this.#number = next;
      this.#token += character;
      return at + 1;
    }
    if (!WHOLE_NUMBERS.includes(this.#number)) {
      return this.#stop(at);
    }
    this.#end(parseJson(this.#token));
    return at;
  }

  #readWord(character: string, at: number): number {
    const token = (this.#token += character);
    const word = WORDS[token[0]!]!;
    if (token === word) {
      this.#end(JSON.parse(word));
    }
    return word.startsWith(token) ? at + 1 : this.#stop(at);
  }

  #named(key: string): void {
    const top = this.#open.at(-1)!;
    top.key = key;
    top.members++;
    this.#state = "colon";
  }

  /** Completes a value. */
  #end(value: Json): void {
    this.#place(value);
    this.#state = this.#open.length === 0 ? "over" : "next";
  }

  /** Closes the innermost container. */
  #close(at: number): number {
    this.#open.pop();
    this.#state = this.#open.length === 0 ? "over" : "next";
    return at + 1;
  }

  /** Stops at an error. The value before it is kept. */
  #stop(at: number): number {
    this.#show();
    this.#state = "over";
    return at;
  }

  /** Stores the current part of an open string. */
  #show(): void {
    const isText = (this.#state === "text" || this.#state === "escape") && !this.#isKey;
    if (isText && this.#shown !== this.#text) {
      this.#place((this.#shown = this.#text));
    }
  }

  /** Stores a value in its container. */
  #place(value: Json): void {
    if (this.#isGiven) {
      this.#copy();
    }
    const top = this.#open.at(-1);
    if (top === undefined) {
      this.#root = value;
    } else {
      put(top.container as { [key: string]: Json }, top.key as string, value);
    }
  }

  /** Copies the open containers; complete ones are shared. */
  #copy(): void {
    this.#isGiven = false;
    let above: Open | undefined;
    for (const open of this.#open) {
      open.container = Array.isArray(open.container) ? [...open.container] : { ...open.container };
      if (above === undefined) {
        this.#root = open.container;
      } else {
        put(above.container as { [key: string]: Json }, above.key as string, open.container);
      }
      above = open;
    }
  }
}

/** A string whose value was requested. */
interface StreamedString {
  text: string;
  readonly json: PartialJson;
}

// Strings that are parsed as JSON while they grow. Each delta is parsed once, when it arrives:
// reading a single character of the whole string takes time proportional to its length, because the
// engine joins the deltas first.

/** The parsers by the object that holds the string, in a snapshot or in the next one. */
const growing = /* @__PURE__ */ new WeakMap<object, StreamedString>();
/** Whether any string was parsed. Other streams have no cost. */
let isUsed = false;

/**
 * Returns the value of a string so far. `holder` is the object that has the string as a property,
 * if any; `isWhole`: the string is complete.
 */
export function partialOf(
  text: string,
  holder: object | undefined,
  isWhole: boolean,
): Json | undefined {
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
export function parseDelta(holder: object, before: string, piece: string, after: string): void {
  const known = isUsed ? growing.get(holder) : undefined;
  if (known?.text === before) {
    known.text = after;
    known.json.push(piece);
  }
}

/** Passes the parsers of an object to its copy. */
export function copyParsers(from: object, to: object): void {
  const known = isUsed ? growing.get(from) : undefined;
  if (known !== undefined) {
    growing.set(to, known);
  }
}
