// AG-UI's binary form: each event a message of Protocol Buffers, with its length before it.

import type { Json } from "../agentwire.js";
import { stringifyJson } from "../json.js";
import { toolkit } from "../wasm.js";
import type { AgUiEvent } from "./events.js";
import { TABLES } from "./tables.js";

/** What `Accept` and `Content-Type` say of AG-UI's binary form. */
export const AG_UI_BINARY = TABLES.binary;

/** An event in binary form. */
export interface AgUiFrame {
  /** The message with its length before it: four bytes, the most significant first. */
  readonly frame: Uint8Array;
  /**
   * Where in the event something stands that the format has no place for, as JSON Pointers: members that AG-UI does not have,
   * integers beyond 2^53 in free JSON (numbers are floating point numbers there), halves of characters.
   */
  readonly lost: readonly string[];
}

/**
 * Writes an event in binary form. A stream of such frames has the content type {@link AG_UI_BINARY}.
 *
 * @throws DecodeError if it is no event, or one from before 1.0, which has no binary form
 */
export function encodeAgUiFrame(event: AgUiEvent): AgUiFrame {
  const told: Uint8Array = toolkit().call("agUiFrame", stringifyJson(event as Json));
  const length = new DataView(told.buffer, told.byteOffset).getUint32(0, true);
  const start = 4 + length;
  return { frame: told.slice(start), lost: JSON.parse(new TextDecoder().decode(told.subarray(4, start))) as string[] };
}
