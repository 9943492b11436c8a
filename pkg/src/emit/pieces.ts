// Further pieces of a text, written here: from one to the next only the number and the piece change, so the core is asked
// for the rest once. It says whether the first one is legal; the others are, as long as nothing else of the stream is called.

/** What is wanted of the builder whose pieces they are. */
export interface PieceSource {
  /** What is before the number, the number, and what is before the piece, a line each; only the last without numbers. */
  pieceTemplate(of?: string): string;
  /** How many pieces were written since then, and their text. Only where the core keeps it. */
  addWritten?(text: string, count: number): void;
}

/** Pieces of one text in a row. */
export class Pieces {
  readonly #source: PieceSource;
  readonly #before: string;
  readonly #after: string;
  #number: number | undefined;
  /** What the core has not been told. */
  #text = "";
  #count = 0;

  constructor(source: PieceSource, of: string | undefined) {
    this.#source = source;
    const lines = source.pieceTemplate(of).split("\n");
    this.#after = lines.pop()!;
    this.#before = lines[0] ?? "";
    this.#number = lines.length > 0 ? Number(lines[1]) : undefined;
  }

  /** The next piece as a server-sent event. */
  write(piece: string): string {
    const text = UNUSUAL.test(piece) ? piece.replace(LONE_SURROGATE, "\ufffd") : piece;
    let json = JSON.stringify(text);
    if (text !== piece || UNUSUAL.test(piece)) {
      json = json.replace(LINE_END, escaped);
    }
    this.#text += text;
    this.#count++;
    const number = this.#number === undefined ? "" : this.#number++;
    return `${this.#before}${number}${this.#after}${json}}\n\n`;
  }

  /** Whether the core should be told. */
  get isMuch(): boolean {
    return this.#text.length > MUCH;
  }

  /** Tells the core what was written. */
  settle(): void {
    const count = this.#count;
    if (count > 0) {
      const text = this.#text;
      this.#text = "";
      this.#count = 0;
      this.#source.addWritten?.(text, count);
    }
  }
}

/** So many characters are kept at most, and those of one piece. */
const MUCH = 16 * 1024;
/** What the core writes otherwise than `JSON.stringify`, or may. */
const UNUSUAL = /[\u0085\u2028\u2029\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Cs}/gu;
/** JSON allows them as they are, but readers exist that lose the event. */
const LINE_END = /[\u0085\u2028\u2029]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
