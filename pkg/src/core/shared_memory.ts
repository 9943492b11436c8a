// The memory that JavaScript and the core share: chunks are copied in, and patches are read out.
//
// A core has one such memory, not one per reader. So a chunk is copied in and pushed, and its patch
// is applied, without other calls in between.

import type * as Bindings from "../agentwire.js";
import type { Exchange as RawExchange, RawReader } from "../agentwire.js";
import type { Report } from "./findings.js";
import { must } from "./errors.js";
import { CONTRACT, WIDE } from "../generated/contract.js";
import type { Patch } from "./words.js";
import { type Findings, FindingsReader, nothing, reportOf } from "./report.js";
import { asciiAt, wideAt } from "./text.js";
import type { Memory } from "./platform.js";

/** The number of bytes into which larger chunks are split, so that the input buffer never grows. */
export const INPUT_BYTES = 64 * 1024;

/** The positions in the header of the report's words, and of the word that identifies the build. */
const REPORT = 9;
const BUILD = 17;

/** The parts of a core that this module uses. */
interface Owner {
  readonly bindings: Pick<typeof Bindings, "Exchange">;
  readonly memory: Memory;
}

/**
 * The shared memory of one core. All properties but `raw` are results of the last call into the
 * core, and valid until the next one.
 */
export class SharedMemory implements Patch {
  /** The object of the core, which its functions receive. */
  raw!: RawExchange;
  /** The memory as words, bytes and UTF-16 units. */
  words!: Uint32Array;
  bytes!: Uint8Array;
  units!: Uint16Array;
  start = 0;
  end = 0;
  text = "";
  long = 0;
  /** The total number of violations that the reader has found. */
  violations = 0;
  /** Whether the snapshot is final: further events cannot change it. */
  ended = false;
  /** The number of the protocol; an unused number while it is unknown. */
  protocol = 0;
  /**
   * The number of bytes of the piece that were read. After the patch is applied, {@link more} reads
   * the rest.
   */
  taken = 0;
  #length = 0;
  readonly #core: Owner;
  /** A spare object, for when memory runs out. */
  #spare: RawExchange | undefined;
  /** The addresses of the input and the header, which are fixed for an object of the core. */
  #input!: number;
  #header!: number;

  constructor(core: Owner) {
    this.#core = core;
    this.renew();
    must(
      this.words[this.#header + BUILD] === CONTRACT,
      "wrong-version",
      "the wasm and the JavaScript are of different versions of agentwire",
    );
    this.#spare = this.#create();
  }

  /** Replaces the object of the core, because a call that has trapped keeps using its own. */
  renew(): void {
    const raw = this.#spare ?? this.#create();
    this.#spare = undefined;
    this.raw = raw;
    this.#input = raw.input();
    this.#header = raw.header() >>> 2;
    this.view();
  }

  /** Pushes the first `length` bytes of a piece of at most `INPUT_BYTES` bytes. */
  push(reader: RawReader, piece: Uint8Array, length: number): this {
    this.give(piece);
    this.#length = length;
    reader.push(this.raw, 0, length);
    return this.left();
  }

  /** Copies a piece to the input of the core. */
  give(piece: Uint8Array): void {
    if (this.bytes.length === 0) {
      this.view();
    }
    this.bytes.set(piece, this.#input);
  }

  /** The text result of the last call into the core. */
  get resultText(): string {
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

  /** Reads the findings of the last call. */
  findings(): Findings {
    return this.words[this.#header + REPORT + 1] === 0
      ? nothing()
      : new FindingsReader().read(this);
  }

  /** Returns the report with the counters of the last call. */
  report(findings: Findings): Report {
    const at = this.#header + REPORT;
    return reportOf(
      this.words[at]!,
      this.#count(at + 2),
      this.#count(at + 4),
      this.#count(at + 6),
      findings,
    );
  }

  #count(at: number): number {
    const high = this.words[at + 1]!;
    return high === 0 ? this.words[at]! : this.words[at]! + high * 2 ** 32;
  }

  /** Whether a part of the piece is unread, because the patch has reached its maximum size. */
  get hasMore(): boolean {
    return this.taken < this.#length;
  }

  /** Reads the rest of the piece. */
  more(reader: RawReader): this {
    reader.push(this.raw, this.taken, this.#length);
    return this.left();
  }

  /** Reads the header of the last call's result. */
  left(): this {
    if (this.bytes.length === 0) {
      this.view();
    }
    const words = this.words;
    const header = this.#header;
    this.start = words[header]! >>> 2;
    this.end = this.start + words[header + 1]!;
    this.text = this.resultText;
    this.long = words[header + 4]!;
    this.violations = words[header + 5]!;
    this.ended = words[header + 6] === 1;
    this.protocol = words[header + 7]!;
    this.taken = words[header + 8]!;
    return this;
  }

  #create(): RawExchange {
    return new this.#core.bindings.Exchange(INPUT_BYTES);
  }

  /**
   * Updates the views of the memory: each call into the core can make it grow, which detaches the
   * old views.
   */
  view(): void {
    const { buffer } = this.#core.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.units = new Uint16Array(buffer);
  }
}
