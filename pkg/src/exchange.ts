// The memory that JavaScript and the core share: chunks go in, patches come out.
//
// There is one such memory per core, not one per reader. So a chunk is copied in, pushed, and its patch taken up
// without anything in between.

import type { Exchange as RawExchange, RawReader } from "./agentwire.js";
import type { Patch } from "./patch.js";
import { textAt } from "./text.js";

/** What a call into the core left, besides the patch. Holds until the next call. */
export interface Left extends Patch {
  /** How many violations the reader has found in all. */
  readonly violations: number;
  /** Whether nothing can change the answer any more. */
  readonly ended: boolean;
  /** The number of the protocol; one that no protocol has as long as it is not known. */
  readonly protocol: number;
}

/** Larger chunks cross in pieces of this size, so the input buffer never has to grow. */
export const PIECE = 64 * 1024;
/** The shared memory of one core. */
export class Exchange {
  /** The core's own side of it, which its functions are called with. */
  readonly raw: RawExchange;
  readonly #memory: WebAssembly.Memory;
  /** Where the input and the header are. They stay where they are as long as the core lives. */
  readonly #input: number;
  readonly #header: number;
  #bytes: Uint8Array;
  #words: Uint32Array;
  /** One object for all calls: a push must not make garbage. */
  readonly #left: { -readonly [member in keyof Left]: Left[member] };

  constructor(raw: RawExchange, memory: WebAssembly.Memory) {
    this.raw = raw;
    this.#memory = memory;
    this.#input = raw.input();
    this.#header = raw.header() >>> 2;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    const { words, bytes } = { words: this.#words, bytes: this.#bytes };
    this.#left = { words, start: 0, end: 0, text: "", bytes, long: 0, violations: 0, ended: false, protocol: 0 };
  }

  /** Pushes the first `length` bytes of a piece of at most `PIECE` bytes. */
  push(reader: RawReader, piece: Uint8Array, length: number): Left {
    this.#view();
    this.#bytes.set(piece, this.#input);
    reader.push(this.raw, length);
    return this.left();
  }

  /** What the last call into the core left. */
  left(): Left {
    this.#view();
    const words = this.#words;
    const header = this.#header;
    const left = this.#left;
    left.words = words;
    left.start = words[header]! >>> 2;
    left.end = left.start + words[header + 1]!;
    left.text = textAt(this.#bytes, words[header + 2]!, words[header + 3]!);
    left.bytes = this.#bytes;
    left.long = words[header + 4]!;
    left.violations = words[header + 5]!;
    left.ended = words[header + 6] === 1;
    left.protocol = words[header + 7]!;
    return left;
  }

  /** Each call into the core can make the memory grow, which leaves the old views without length. */
  #view(): void {
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(this.#memory.buffer);
      this.#words = new Uint32Array(this.#memory.buffer);
    }
  }
}
