// A buffer for small chunks until an event can end in them: a call into the core for each one costs
// more than its bytes.

/** The length up to which a chunk is buffered, and the size of the buffer. */
export const MAX_SMALL_CHUNK_BYTES = 64;
const BUFFER_BYTES = 512;

const LF = 10;
const CR = 13;
/**
 * Masks for finding bytes below 14, such as line ends: for these, `word - EACH * 14` borrows from a
 * bit of `HIGH` that `word` does not have.
 */
const EACH = 0x01010101;
const HIGH = EACH << 7;

/** The bytes of small chunks that were not read yet. */
export class ChunkBuffer {
  readonly bytes = new Uint8Array(BUFFER_BYTES);
  readonly #words = new Int32Array(this.bytes.buffer);
  length = 0;
  readonly #lines: boolean;

  /** @param lines whether every line ends an event, not only a blank line */
  constructor(lines: boolean) {
    this.#lines = lines;
  }

  /** Buffers a small chunk. Returns false if it does not fit. */
  append(chunk: Uint8Array): boolean {
    const { length } = chunk;
    const hasRoom = this.length + length <= BUFFER_BYTES;
    if (hasRoom) {
      this.bytes.set(chunk, this.length);
      this.length += length;
    }
    return hasRoom;
  }

  /**
   * Returns the number of bytes up to the end of an event among the last `length` bytes; 0 if none
   * of them ends an event.
   */
  completeBytes(length: number): number {
    const from = this.length - length;
    for (let word = from >>> 2; word << 2 < this.length; word++) {
      const four = this.#words[word]!;
      if (((four - EACH * (CR + 1)) & ~four & HIGH) !== 0) {
        return this.#afterEnd(from);
      }
    }
    return 0;
  }

  /** Removes the first bytes, which were read. */
  drop(length: number): void {
    this.bytes.copyWithin(0, length, this.length);
    this.length -= length;
  }

  #afterEnd(from: number): number {
    for (let at = this.length - 1; at >= from; at--) {
      const byte = this.bytes[at]!;
      // The byte before the first one is unknown. At worst, the bytes are read too early.
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
