// Text deltas that are serialized in JavaScript: consecutive events differ only in their number and delta, so the rest
// is requested from the core once. The core validates the first delta; the others are valid until the next call on the
// stream.

/** The methods of a builder that serialize deltas. */
export interface PieceSource {
  /** Returns the events that must precede the deltas, for builders that have some. */
  beginPieces?(of?: string): string;
  /**
   * Returns the text before the number, the number, and the text before the delta, one per line; only the last line if
   * the events have no numbers.
   */
  pieceTemplate(of?: string): string;
  /**
   * Records the deltas since the last call: their text and their count. Only for builders whose core object stores the
   * text.
   */
  addWritten?(text: string, count: number): void;
}

/** Consecutive deltas of one text. */
export class Pieces {
  /** The builder of the deltas, and the argument for the core. */
  readonly writer: unknown;
  readonly of: string | undefined;
  /** The text that the core has not recorded yet. */
  text = "";
  #count = 0;
  readonly #source: PieceSource;
  readonly #keeps: boolean;
  readonly #before: string;
  readonly #after: string;
  #number: number;

  constructor(source: PieceSource, writer: unknown, of: string | undefined) {
    this.#source = source;
    this.#keeps = source.addWritten !== undefined;
    this.writer = writer;
    this.of = of;
    const lines = source.pieceTemplate(of).split("\n");
    this.#after = `${lines.pop()}"`;
    this.#before = lines[0] ?? "";
    this.#number = Number(lines[1]);
  }

  /** Returns the next delta as a server-sent event. */
  write(piece: string): string {
    let json = piece;
    if (!isPlain(piece)) {
      json = JSON.stringify(piece);
      if (UNUSUAL.test(piece)) {
        piece = piece.replace(LONE_SURROGATE, "\ufffd");
        json = JSON.stringify(piece).replace(LINE_END, escaped);
      }
      json = json.slice(1, -1);
    }
    if (this.#keeps) {
      this.text += piece;
      this.#count++;
    }
    return this.#before === "" ? `${this.#after}${json}"}\n\n` : `${this.#before}${this.#number++}${this.#after}${json}"}\n\n`;
  }

  /** Records the written deltas in the core. */
  settle(): void {
    const { text } = this;
    const count = this.#count;
    this.text = "";
    this.#count = 0;
    if (count > 0) {
      this.#source.addWritten?.(text, count);
    }
  }
}

/** The length up to which a loop is faster than `JSON.stringify`. */
const SHORT = 48;

/** Returns whether a delta certainly needs no escaping. */
function isPlain(piece: string): boolean {
  if (piece.length > SHORT) {
    return false;
  }
  for (let at = 0; at < piece.length; at++) {
    const unit = piece.charCodeAt(at);
    // Control characters, the quote, the backslash and three line separators are escaped; surrogates may be unpaired.
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit === 0x85 || (unit & ~1) === 0x2028 || (unit & 0xf800) === 0xd800) {
      return false;
    }
  }
  return true;
}

/** The characters that the core escapes differently from `JSON.stringify`, and surrogates, which may be unpaired. */
const UNUSUAL = /[\u0085\u2028\u2029\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Cs}/gu;
/** The line separators. JSON allows them unescaped, but some readers then drop the event. */
const LINE_END = /[\u0085\u2028\u2029]/g;
const escaped = (character: string): string =>
  (character === "\u0085" ? "\\u00" : "\\u") + character.charCodeAt(0).toString(16);
