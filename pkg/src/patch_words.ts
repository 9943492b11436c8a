// The words and strings that the core leaves: of a patch, and of a report after it.

import { LONG } from "./generated.js";
import { longAt } from "./text.js";

/** What one call into the core has left. The numbers lie in the core's memory: take them up before the next call. */
export interface Patch {
  readonly words: Uint32Array;
  /** Where in `words` the ops begin, and where they end. */
  readonly start: number;
  readonly end: number;
  /** All strings that are not long, one after the other. */
  readonly text: string;
  /** The memory, and where in it the long strings begin. */
  readonly bytes: Uint8Array;
  readonly long: number;
}

const NO_WORDS = /* @__PURE__ */ new Uint32Array(0);
const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** Takes them up one after the other. */
export class PatchWords {
  protected words: Uint32Array = NO_WORDS;
  protected word = 0;
  #text = "";
  #character = 0;
  #bytes: Uint8Array = NO_BYTES;
  #long = 0;

  /** Begins at a word; `character` and `byte` say how much of the strings belongs to words before it. */
  protected begin(patch: Patch, word: number, character: number, byte: number): void {
    this.words = patch.words;
    this.word = word;
    this.#text = patch.text;
    this.#character = character;
    this.#bytes = patch.bytes;
    this.#long = patch.long + byte;
  }

  /** Views hold the memory, and it may be thrown away before this is. */
  protected forget(): void {
    this.words = NO_WORDS;
    this.#bytes = NO_BYTES;
  }

  number(): number {
    return this.words[this.word++]!;
  }

  /** Of two words. */
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
    return this.#text.slice(from, (this.#character = from + length));
  }
}
