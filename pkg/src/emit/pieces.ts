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
  readonly #before: string;
  readonly #after: string;
  #number: number;

  constructor(source: PieceSource, writer: unknown, of: string | undefined) {
    this.#source = source;
    this.writer = writer;
    this.of = of;
    const lines = source.pieceTemplate(of).split("\n");
    this.#after = lines.pop()!;
    this.#before = lines[0] ?? "";
    this.#number = Number(lines[1]);
  }

  /** The next piece as a server-sent event. */
  write(piece: string): string {
    let json = JSON.stringify(piece);
    if (UNUSUAL.test(piece)) {
      piece = piece.replace(LONE_SURROGATE, "\ufffd");
      json = JSON.stringify(piece).replace(LINE_END, escaped);
    }
    this.text += piece;
    this.#count++;
    const number = this.#before === "" ? "" : this.#number++;
    return `${this.#before}${number}${this.#after}${json}}\n\n`;
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

/** What the core writes otherwise than `JSON.stringify`, and halves of characters that may be lone. */
const UNUSUAL = /[\u0085\u2028\u2029\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Cs}/gu;
/** JSON allows them as they are, but readers exist that lose the event. */
const LINE_END = /[\u0085\u2028\u2029]/g;
const escaped = (character: string): string =>
  (character === "\u0085" ? "\\u00" : "\\u") + character.charCodeAt(0).toString(16);
