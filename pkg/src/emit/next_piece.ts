// Text deltas of all builders. A separate file, because readers use `Handle` but not this function.

import type { Freeable } from "../core.js";
import type { Handle } from "./handle.js";
import { type PieceSource, Pieces } from "./pieces.js";

/** The number of characters of deltas after which they are recorded in the core. */
const MUCH = 16 * 1024;

/**
 * The empty deltas. The constant keeps one object of the class alive: V8 discards the compiled code of a class when a
 * garbage collection finds no object of it, which would happen between two texts.
 */
const NONE = /* @__PURE__ */ new Pieces({ pieceTemplate: () => "" }, undefined, undefined);

/**
 * Returns the serialized event of a text delta, after the events that must precede it. `of` is the argument for the
 * core.
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
