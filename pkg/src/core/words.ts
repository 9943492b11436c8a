// The words and strings of the core's results: patches, and the reports after them.

import { LONG } from "../generated/contract.js";
import { longAt } from "./text.js";

/**
 * The result of one call into the core. Its words are in the core's memory and must be read before
 * the next call.
 */
export interface Patch {
  readonly words: Uint32Array;
  /** The start and the end of the operations in `words`. */
  readonly start: number;
  readonly end: number;
  /** All short strings, concatenated. */
  readonly text: string;
  /** The memory, and the address of the long strings. */
  readonly bytes: Uint8Array;
  readonly long: number;
}

const NO_WORDS = /* @__PURE__ */ new Uint32Array(0);
const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** Reads the words and strings in order. */
export class PatchWords {
  protected words: Uint32Array = NO_WORDS;
  protected word = 0;
  #text = "";
  #character = 0;
  #bytes: Uint8Array = NO_BYTES;
  #long = 0;

  /** Starts at a word; `character` and `byte` are the positions of its strings. */
  protected begin(patch: Patch, word: number, character: number, byte: number): void {
    this.words = patch.words;
    this.word = word;
    this.#text = patch.text;
    this.#character = character;
    this.#bytes = patch.bytes;
    this.#long = patch.long + byte;
  }

  /**
   * Drops the views: they keep the memory alive, which may be replaced before this object is
   * collected.
   */
  protected forget(): void {
    this.words = NO_WORDS;
    this.#bytes = NO_BYTES;
  }

  number(): number {
    return this.words[this.word++]!;
  }

  /** Reads a number of two words. */
  protected large(): number {
    const low = this.number();
    const high = this.number();
    return high === 0 ? low : low + high * 2 ** 32;
  }

  string(): string {
    const length = this.number();
    if (length >= LONG) {
      const address = this.#long;
      this.#long += length - LONG;
      return longAt(this.#bytes, address, length - LONG);
    }
    const from = this.#character;
    const text = this.#text.slice(from, (this.#character = from + length));
    return length >= SLICED && this.#text.length >= MIN_DELTA_LENGTH ? copyOf(text) : text;
  }
}

/**
 * The length from which engines share the memory of a slice with its text, and the length of a text
 * that must not be kept for a slice.
 */
const SLICED = 13;
const MIN_DELTA_LENGTH = 0x2000;

/** Returns a copy that does not keep the memory of the text that it is a slice of. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
