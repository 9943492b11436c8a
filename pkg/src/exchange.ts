// The memory that JavaScript and the core share: chunks go in, patches come out.
//
// There is one such memory per core, not one per reader. So a chunk is copied in, pushed, and its patch taken up
// without anything in between.

import type * as Bindings from "./agentwire.js";
import type { Exchange as RawExchange, RawReader } from "./agentwire.js";
import type { Report } from "./findings.js";
import { AgentwireError } from "./errors.js";
import { CONTRACT, WIDE } from "./generated.js";
import type { Patch } from "./patch_words.js";
import { type Findings, FindingsReader, nothing, reportOf } from "./report.js";
import { asciiAt, wideAt } from "./text.js";
import type { Memory } from "./platform.js";

/** Larger chunks cross in pieces of this size, so the input buffer never has to grow. */
export const PIECE = 64 * 1024;

/** Where in the header the words about the report begin, and where the one stands that tells builds apart. */
const REPORT = 9;
const BUILD = 17;

/** What it needs of a core. */
interface Owner {
  readonly bindings: Pick<typeof Bindings, "Exchange">;
  readonly memory: Memory;
}

/** The shared memory of one core. All but `raw` is what the last call into the core left. Holds until the next one. */
export class Exchange implements Patch {
  /** The core's own side of it, which its functions are called with. */
  raw!: RawExchange;
  /** The memory; as bytes and units too. */
  words!: Uint32Array;
  bytes!: Uint8Array;
  units!: Uint16Array;
  start = 0;
  end = 0;
  text = "";
  long = 0;
  /** How many violations the reader has found in all. */
  violations = 0;
  /** Whether nothing can change the answer any more. */
  ended = false;
  /** The number of the protocol; one that no protocol has as long as it is not known. */
  protocol = 0;
  /** How many bytes of the piece have been read. The others are, by {@link more}, once what is here was taken up. */
  taken = 0;
  #length = 0;
  readonly #core: Owner;
  /** To be had when there is no memory any more. */
  #spare: RawExchange | undefined;
  /** Where the input and the header are. They stay where they are as long as the core's side is the same. */
  #input!: number;
  #header!: number;

  constructor(core: Owner) {
    this.#core = core;
    this.renew();
    if (this.words[this.#header + BUILD] !== CONTRACT) {
      throw new AgentwireError("wrong-version", "the wasm and the JavaScript are of different versions of agentwire");
    }
    this.#spare = this.#made();
  }

  /** Takes another piece of the core's memory: a call that has trapped keeps the one that it was given. */
  renew(): void {
    const raw = this.#spare ?? this.#made();
    this.#spare = undefined;
    this.raw = raw;
    this.#input = raw.input();
    this.#header = raw.header() >>> 2;
    this.view();
  }

  /** Pushes the first `length` bytes of a piece of at most `PIECE` bytes. */
  push(reader: RawReader, piece: Uint8Array, length: number): this {
    this.give(piece);
    this.#length = length;
    reader.push(this.raw, 0, length);
    return this.left();
  }

  /** Puts a piece where the core reads it. */
  give(piece: Uint8Array): void {
    if (this.bytes.length === 0) {
      this.view();
    }
    this.bytes.set(piece, this.#input);
  }

  /** The text that the last call into the core has left. */
  get said(): string {
    if (this.bytes.length === 0) {
      this.view();
    }
    const { words } = this;
    const at = this.#header + 2;
    const length = words[at + 1]!;
    return length < WIDE
      ? asciiAt(this.bytes, words[at]!, length)
      : wideAt(this.bytes, this.units, words[at]!, length - WIDE);
  }

  /** What the last call has left of a report besides its figures. */
  findings(): Findings {
    return this.words[this.#header + REPORT + 1] === 0 ? nothing() : new FindingsReader().read(this);
  }

  /** The report of which the last call has left the figures. */
  report(findings: Findings): Report {
    const at = this.#header + REPORT;
    return reportOf(this.words[at]!, this.#count(at + 2), this.#count(at + 4), this.#count(at + 6), findings);
  }

  #count(at: number): number {
    const high = this.words[at + 1]!;
    return high === 0 ? this.words[at]! : this.words[at]! + high * 2 ** 32;
  }

  /** Whether bytes of the piece are left, because what the others say is much already. */
  get hasMore(): boolean {
    return this.taken < this.#length;
  }

  /** Reads on in the piece. */
  more(reader: RawReader): this {
    reader.push(this.raw, this.taken, this.#length);
    return this.left();
  }

  /** What the last call into the core left. */
  left(): this {
    if (this.bytes.length === 0) {
      this.view();
    }
    const words = this.words;
    const header = this.#header;
    this.start = words[header]! >>> 2;
    this.end = this.start + words[header + 1]!;
    this.text = this.said;
    this.long = words[header + 4]!;
    this.violations = words[header + 5]!;
    this.ended = words[header + 6] === 1;
    this.protocol = words[header + 7]!;
    this.taken = words[header + 8]!;
    return this;
  }

  #made(): RawExchange {
    return new this.#core.bindings.Exchange(PIECE);
  }

  /** Looks at the memory as it is: each call into the core can make it grow, which leaves the old views without length. */
  view(): void {
    const { buffer } = this.#core.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.units = new Uint16Array(buffer);
  }
}
