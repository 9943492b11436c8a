// Small chunks, kept until an event can end in them: a call into the core for each of them costs more than the bytes do.

/** Up to this length a chunk is kept; how many bytes of such chunks are. */
export const SMALL = 64;
const MOST = 512;

const LF = 10;
const CR = 13;
/** `word - EACH * 14` borrows from a bit of `HIGH` that `word` has not where a byte is below 14, as line ends are. */
const EACH = 0x01010101;
const HIGH = EACH << 7;

/** The bytes of small chunks that have not been read yet. */
export class Held {
  readonly bytes = new Uint8Array(MOST);
  readonly #words = new Int32Array(this.bytes.buffer);
  length = 0;
  readonly #lines: boolean;

  /** Where every line is an event, its end is due, not only a blank line. */
  constructor(lines: boolean) {
    this.#lines = lines;
  }

  /** Keeps a small chunk, if there is room for it. */
  keep(chunk: Uint8Array): boolean {
    const { length } = chunk;
    const hasRoom = this.length + length <= MOST;
    if (hasRoom) {
      this.bytes.set(chunk, this.length);
      this.length += length;
    }
    return hasRoom;
  }

  /** How many of the bytes the end of an event ends, if one of the last `length` is one. */
  due(length: number): number {
    const from = this.length - length;
    for (let word = from >>> 2; word << 2 < this.length; word++) {
      const four = this.#words[word]!;
      if (((four - EACH * (CR + 1)) & ~four & HIGH) !== 0) {
        return this.#afterEnd(from);
      }
    }
    return 0;
  }

  /** The first bytes have been read. */
  drop(length: number): void {
    this.bytes.copyWithin(0, length, this.length);
    this.length -= length;
  }

  #afterEnd(from: number): number {
    for (let at = this.length - 1; at >= from; at--) {
      const byte = this.bytes[at]!;
      // Where nobody knows what came before the first byte, it is read too early at worst.
      const before = at === 0 ? LF : this.bytes[at - 1]!;
      if (byte === CR && (before === LF || before === CR)) {
        return at + 1 < this.length && this.bytes[at + 1] === LF ? at + 2 : at + 1;
      }
      if (byte === LF && (this.#lines || before === LF)) {
        return at + 1;
      }
    }
    return 0;
  }
}
