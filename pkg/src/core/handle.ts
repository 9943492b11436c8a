// Handles of objects in the memory of the core, which must be freed.

import { AgentwireError, TrapError } from "./errors.js";
import type { Arguments, Core, Freeable, Result } from "./core.js";

/**
 * The state that a builder and the builders it created share: in the core they are one object,
 * which a trap leaves in an undefined state.
 */
interface Stream {
  error?: TrapError;
  /** The deltas that the core has not recorded yet. */
  pieces?: Pieces | undefined;
  /**
   * Whether the stream has no reader any more: calls that write have no effect, and return an empty
   * text.
   */
  isAbandoned?: boolean;
}

/**
 * Holds an object of the core. Throws a clear error for calls after it was freed, and after a call
 * that trapped.
 */
export class Handle<T extends Freeable> {
  readonly #core: Core;
  /** The object, which is not used any more after it was freed. */
  readonly #raw: T;
  #freed = false;
  /**
   * The state that is shared with the creator of this object, and with the objects that it creates.
   */
  readonly stream: Stream;

  /**
   * @param make creates the object and does nothing else: its errors count as errors of the core
   */
  constructor(core: Core, make: () => T, stream: Stream = {}) {
    this.#core = core;
    this.stream = stream;
    // An object for an abandoned stream does not exist in the core.
    this.#freed = stream.isAbandoned === true;
    this.#raw = this.#freed ? (undefined as never) : this.guarded(make);
  }

  /** Calls a method of the object that writes. An invalid call throws an `AgentwireError`. */
  call<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Result<T[M]> {
    return this.stream.isAbandoned === true ? ("" as Result<T[M]>) : this.read(method, ...args);
  }

  /** Calls a method of the object, also after its stream was abandoned. */
  read<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Result<T[M]> {
    const raw = this.present;
    this.settle();
    return this.guarded(() =>
      (raw[method] as (...args: unknown[]) => Result<T[M]>).apply(raw, args),
    );
  }

  /** Calls a method that returns another object of the bindings. */
  make<M extends keyof T>(method: M, ...args: Arguments<T[M]>): Handle<Result<T[M]> & Freeable> {
    const make = () => this.call(method, ...args) as Result<T[M]> & Freeable;
    return new Handle(this.#core, make, this.stream);
  }

  free(): void {
    const wasFreed = this.#freed;
    this.#freed = true;
    if (this.stream.pieces?.writer === this) {
      try {
        this.settle();
      } catch {
        // The next call on the stream throws the error.
      }
    }
    // After a trap, the interrupted call still uses the object.
    if (!wasFreed && this.stream.error === undefined) {
      this.#core.free(this.#raw);
    }
  }

  /** The object. Throws if it was freed. */
  get present(): T {
    if (this.#freed) {
      throw new AgentwireError("freed", "this object was freed and cannot be used any more");
    }
    return this.#raw;
  }

  /**
   * Records the written deltas in the core, before any other call on the stream. `next` are the
   * deltas that follow.
   */
  settle(next?: Pieces): void {
    const { pieces } = this.stream;
    this.stream.pieces = next;
    if (pieces !== undefined) {
      this.guarded(() => pieces.settle());
    }
  }

  /**
   * Runs a call into the core, and nothing else. Throws the same error again after a call that
   * trapped.
   */
  guarded<R>(work: () => R): R {
    if (this.stream.error !== undefined) {
      throw this.stream.error;
    }
    try {
      return this.#core.run(work);
    } catch (error) {
      if (error instanceof TrapError) {
        this.stream.error = error;
      }
      throw error;
    }
  }
}

// Text deltas that are serialized in JavaScript: consecutive events differ only in their number and
// delta, so the rest is requested from the core once. The core validates the first delta; the
// others are valid until the next call on the stream.

/** The methods of a builder that serialize deltas. */
export interface PieceSource {
  /**
   * Returns the text before the number, the number, and the text before the delta, one per line;
   * only the last line if the events have no numbers.
   */
  pieceTemplate(of?: string): string;
  /**
   * Records the deltas since the last call: their text and their count. Only for builders whose
   * core object stores the text.
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
    return this.#before === ""
      ? `${this.#after}${json}"}\n\n`
      : `${this.#before}${this.#number++}${this.#after}${json}"}\n\n`;
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
const SHORT_TEXT_LENGTH = 48;

/** Returns whether a delta certainly needs no escaping. */
function isPlain(piece: string): boolean {
  if (piece.length > SHORT_TEXT_LENGTH) {
    return false;
  }
  for (let at = 0; at < piece.length; at++) {
    const unit = piece.charCodeAt(at);
    // Control characters, the quote, the backslash and three line separators are escaped;
    // surrogates may be unpaired.
    if (
      unit < 0x20 ||
      unit === 0x22 ||
      unit === 0x5c ||
      unit === 0x85 ||
      (unit & ~1) === 0x2028 ||
      (unit & 0xf800) === 0xd800
    ) {
      return false;
    }
  }
  return true;
}

/**
 * The characters that the core escapes differently from `JSON.stringify`, and surrogates, which may
 * be unpaired.
 */
const UNUSUAL = /[\u0085\u2028\u2029\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Cs}/gu;
/** The line separators. JSON allows them unescaped, but some readers then drop the event. */
const LINE_END = /[\u0085\u2028\u2029]/g;
const escaped = (character: string): string =>
  (character === "\u0085" ? "\\u00" : "\\u") + character.charCodeAt(0).toString(16);

/** The number of characters of deltas after which they are recorded in the core. */
const MAX_UNRECORDED_CHARACTERS = 16 * 1024;

/**
 * The empty deltas. The constant keeps one object of the class alive: V8 discards the compiled code
 * of a class when a garbage collection finds no object of it, which would happen between two texts
 * (`benches/js/engine.mjs`).
 */
const NO_PIECES = /* @__PURE__ */ new Pieces({ pieceTemplate: () => "" }, undefined, undefined);

/** Returns the serialized event of a text delta. `of` is the argument for the core. */
export function nextPiece<T extends Freeable & PieceSource>(
  handle: Handle<T>,
  text: string,
  of?: string,
): string {
  if (handle.stream.isAbandoned === true) {
    return "";
  }
  let pieces = handle.stream.pieces ?? NO_PIECES;
  if (pieces.writer !== handle || pieces.of !== of) {
    const raw = handle.present;
    handle.settle();
    pieces = handle.stream.pieces = handle.guarded(() => new Pieces(raw, handle, of));
  }
  const frame = pieces.write(text);
  if (pieces.text.length > MAX_UNRECORDED_CHARACTERS) {
    handle.settle(pieces);
  }
  return frame;
}
