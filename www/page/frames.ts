// Where one frame of an event stream ends and the next begins, so that each can have a row.
//
// Only line ends and the names of lines count here. What a frame means is the package's business.

const LF = 0x0a;
const CR = 0x0d;

/** A run of lines up to and including the blank line that ends it. */
export interface Frame {
  /** Offset of its first byte in the stream. */
  readonly start: number;
  /** Offset after its last byte. */
  readonly end: number;
  /** `event`: it has data. `comment`: nothing but comments. `fields`: other lines, such as `retry`. */
  readonly kind: "event" | "comment" | "fields";
}

/** Cuts bytes, which may arrive in any pieces, into frames. */
export class FrameCutter {
  #offset = 0;
  #start = 0;
  #lineStart = 0;
  #line = "";
  #afterCr = false;
  #hasData = false;
  #hasComment = false;
  #hasField = false;

  /** The frames that end in these bytes. */
  push(bytes: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    for (const byte of bytes) {
      const at = this.#offset++;
      if (this.#afterCr) {
        this.#afterCr = false;
        if (byte === LF) {
          this.#lineEnds(at + 1, frames);
          continue;
        }
        this.#lineEnds(at, frames);
      }
      if (byte === LF) {
        this.#lineEnds(at + 1, frames);
      } else if (byte === CR) {
        this.#afterCr = true;
      } else if (this.#line.length < 8) {
        // A name is decided within eight bytes; the rest of a line is of no interest.
        this.#line += String.fromCharCode(byte);
      }
    }
    return frames;
  }

  /** The frame that the stream broke off in, if there is one. */
  finish(): Frame | null {
    const frames: Frame[] = [];
    if (this.#afterCr) {
      this.#lineEnds(this.#offset, frames);
    }
    if (this.#line !== "") {
      this.#classify();
    }
    return frames[0] ?? this.#frame(this.#offset);
  }

  #lineEnds(end: number, frames: Frame[]): void {
    // The mark at the start of a stream is not part of its first line.
    if (this.#lineStart === 0 && this.#line.startsWith("\u00ef\u00bb\u00bf")) {
      this.#line = this.#line.slice(3);
    }
    if (this.#line === "") {
      const frame = this.#frame(end);
      if (frame !== null) {
        frames.push(frame);
      }
    } else {
      this.#classify();
    }
    this.#line = "";
    this.#lineStart = end;
  }

  #classify(): void {
    if (this.#line.startsWith(":")) {
      this.#hasComment = true;
    } else if (/^data(:|$)/.test(this.#line)) {
      this.#hasData = true;
    } else {
      this.#hasField = true;
    }
  }

  #frame(end: number): Frame | null {
    const kind = this.#hasData ? "event" : this.#hasField ? "fields" : this.#hasComment ? "comment" : null;
    if (kind === null) {
      return null;
    }
    const frame: Frame = { start: this.#start, end, kind };
    this.#start = end;
    this.#hasData = this.#hasComment = this.#hasField = false;
    return frame;
  }
}
