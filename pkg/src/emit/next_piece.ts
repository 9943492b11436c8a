// A further piece of a text, by whichever builder. Readers hold objects of the core as well, and do without this.

import type { Freeable } from "../core.js";
import type { Handle } from "./handle.js";
import { type PieceSource, Pieces } from "./pieces.js";

/** So many characters of pieces are kept at most, and those of one more. */
const MUCH = 16 * 1024;

/**
 * No pieces. It is there always: V8 throws away what it has compiled for a class when a collection finds no object of it, and
 * between two texts there would be none.
 */
const NONE = /* @__PURE__ */ new Pieces({ pieceTemplate: () => "" }, undefined, undefined);

/**
 * The event of a further piece of a text, as it goes on the wire, after those that have to come before it. `of` is what the core
 * is to be asked for.
 */
export function nextPiece<T extends Freeable & PieceSource>(handle: Handle<T>, text: string, of?: string): string {
  let pieces = handle.stream.pieces ?? NONE;
  let before = "";
  if (pieces.writer !== handle || pieces.of !== of) {
    const raw = handle.present;
    handle.settle();
    before = handle.guarded(() => raw.beginPieces?.(of)) ?? "";
    pieces = handle.stream.pieces = handle.guarded(() => new Pieces(raw, handle, of));
  }
  const frame = before + pieces.write(text);
  if (pieces.text.length > MUCH) {
    handle.settle(pieces);
  }
  return frame;
}
