// Further pieces of a text, written here: from one to the next only the number and the piece change, so the core is asked
// for the rest once. It says whether the first one is legal; the others are, as long as nothing else of the stream is called.

/** What is wanted of the builder whose pieces they are. */
export interface PieceSource {
  /** The events that have to come before the pieces, for builders that make them. */
  beginPieces?(of?: string): string;
  /** What is before the number, the number, and what is before the piece, a line each; only the last without numbers. */
  pieceTemplate(of?: string): string;
  /** How many pieces were written since then, and their text. Only where the core keeps it. */
  addWritten?(text: string, count: number): void;
}

/** Pieces of one text in a row. */
export class Pieces {
  /** Whose they are, and what the core was asked for. */
  readonly writer: unknown;
  readonly of: string | undefined;
  /** What the core has not been told. */
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

  /** The next piece as a server-sent event. */
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

  /** Tells the core what was written. */
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

/** Up to this length a loop is faster than `JSON.stringify`. */
const SHORT = 48;

/** Whether a piece is surely written as it is. */
function isPlain(piece: string): boolean {
  if (piece.length > SHORT) {
    return false;
  }
  for (let at = 0; at < piece.length; at++) {
    const unit = piece.charCodeAt(at);
    // Control characters, the quote and the backslash are escaped, and three ends of lines; halves of characters may be lone.
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit === 0x85 || (unit & ~1) === 0x2028 || (unit & 0xf800) === 0xd800) {
      return false;
    }
  }
  return true;
}

/** What the core writes otherwise than `JSON.stringify`, and halves of characters that may be lone. */
const UNUSUAL = /[\u0085\u2028\u2029\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Cs}/gu;
/** JSON allows them as they are, but readers exist that lose the event. */
const LINE_END = /[\u0085\u2028\u2029]/g;
const escaped = (character: string): string =>
  (character === "\u0085" ? "\\u00" : "\\u") + character.charCodeAt(0).toString(16);
