// The value of a JSON text that is still being streamed. The parser takes the text in pieces and reads each character once.

import type { Json } from "./agentwire.js";
import { parseJson } from "./json.js";
import { put } from "./members.js";

/** How many containers may be open. */
const DEEPEST = 128;

type Container = Json[] | { [key: string]: Json };

/** A container that has no end yet. */
interface Open {
  container: Container;
  /** How many members it has, if it is an object. */
  members: number;
  /** The present member or element. */
  key: string | number;
}

/** The kind of the next character; `over`: the value does not change any more. */
type State = "value" | "first-value" | "key" | "first-key" | "colon" | "next" | "text" | "escape" | "number" | "word" | "over";

/** The automaton of numbers: by the last part that was read, the next one for each character; `digit` is 1 to 9. */
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
 * A value that was returned stays as it is, so the open containers are copied after each look. Copies of up to `FREE` members cost
 * nothing; larger ones are paid for by the characters that arrive. A member of an object costs as much as `ELEMENTS` of an array.
 */
const FREE = 128;
const PER_CHARACTER = 4;
const ELEMENTS = 16;

/** A longer number without a container is not shown before it ends. */
const LONGEST_NUMBER = 4300;

const SPECIAL = /["\\\u0000-\u001f]/g;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/;
const BEGINS_ESCAPE = /^\\(?:u[\da-fA-F]{0,3})?$/;
const FIRST_HALF = /^\\u[dD][89abAB]/;

/** Reads a JSON text as it grows. */
export class PartialJson {
  #state: State = "value";
  #root: Json | undefined;
  readonly #open: Open[] = [];
  /** The value that was returned last. */
  #given: Json | undefined;
  /** `#given` is the present value: the open containers are copied before they are written to. */
  #isGiven = false;
  /** How many members may be copied. */
  #paid = FREE;
  #wasWhole = false;
  /** The certain part of the present string, and the first half of a character, which the next character makes certain. */
  #text = "";
  #half = "";
  /** The part of it that was placed. */
  #shown: string | undefined;
  #isKey = false;
  /** The text of the present number, word or escape. */
  #token = "";
  #number = "begin";

  /** Reads the next piece. */
  push(piece: string): void {
    this.#paid += piece.length * PER_CHARACTER;
    for (let at = 0; at < piece.length && this.#state !== "over"; ) {
      at = this.#state === "text" ? this.#readText(piece, at) : this.#readCharacter(piece, at);
    }
  }

  /**
   * Returns the certain part of the value, as `ToolCallView.partial` describes it. It does not change later; parts that the next piece
   * does not touch are the same objects in the next value.
   *
   * @param isWhole no more text is expected: a copy that is not paid for is made, once
   */
  value(isWhole: boolean): Json | undefined {
    if (this.#state === "number" && this.#open.length === 0) {
      // The only number that is shown although it may go on.
      return WHOLE_NUMBERS.includes(this.#number) && this.#token.length <= LONGEST_NUMBER ? parseJson(this.#token) : undefined;
    }
    const cost = this.#open.reduce((sum, { container, members }) => sum + (Array.isArray(container) ? container.length / ELEMENTS : members), 0);
    const isDue = cost <= FREE || cost <= this.#paid || (isWhole && !this.#wasWhole);
    if (isDue) {
      this.#show();
      if (!this.#isGiven) {
        this.#isGiven = true;
        this.#given = this.#root;
        this.#paid -= cost > FREE ? cost : 0;
      }
    }
    this.#wasWhole ||= isWhole;
    return this.#given;
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
    this.#isKey ? this.#named(this.#text) : this.#end(this.#text);
    return at + 1;
  }

  /** Returns the position to continue at: the same one, if the character ends a number. */
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
          isArray && (top!.key as number)++;
          return at + 1;
        }
        return character === (isArray ? "]" : "}") ? this.#close(at) : this.#stop(at);
      default:
        return character === "]" && this.#state === "first-value" ? this.#close(at) : this.#beginValue(character, at);
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
    const next = NUMBER[this.#number]![character >= "1" && character <= "9" ? "digit" : character === "E" ? "e" : character];
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

  /** Ends a value. */
  #end(value: Json): void {
    this.#place(value);
    this.#state = this.#open.length === 0 ? "over" : "next";
  }

  /** Ends the innermost container. */
  #close(at: number): number {
    this.#open.pop();
    this.#state = this.#open.length === 0 ? "over" : "next";
    return at + 1;
  }

  /** Stops reading at an error. The value before it stays. */
  #stop(at: number): number {
    this.#show();
    this.#state = "over";
    return at;
  }

  /** Places a string that has no end yet. */
  #show(): void {
    const isText = (this.#state === "text" || this.#state === "escape") && !this.#isKey;
    if (isText && this.#shown !== this.#text) {
      this.#place((this.#shown = this.#text));
    }
  }

  /** Puts a value at its place. */
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
