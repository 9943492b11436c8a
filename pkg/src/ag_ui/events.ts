// Functions for events of AG-UI: their binary form, and fewer events with the same effect.

import type { Json } from "../agentwire.js";
import { check } from "../core/arguments.js";
import { parseJson, stringifyJson } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import type { AgUiEvent } from "../generated/ag_ui/events.js";
import { TABLES } from "../generated/ag_ui/tables.js";

/** The media type of AG-UI's binary form, for `Accept` and `Content-Type`. */
export const AG_UI_BINARY = TABLES.binary;

/** An event in binary form. */
export interface AgUiFrame {
  /** The message, prefixed with its length: four bytes, big-endian. */
  readonly frame: Uint8Array;
  /**
   * The JSON Pointers of values that the format cannot represent: properties that AG-UI does not
   * define, integers beyond 2^53 in arbitrary JSON (where numbers are floating-point numbers), and
   * unpaired surrogates.
   */
  readonly lost: readonly string[];
}

/**
 * Encodes an event in binary form. A stream of such frames has the content type
 * {@link AG_UI_BINARY}.
 *
 * @throws DecodeError if the value is not an event, or is an event from before version 1.0, which
 * has no binary form
 */
export function encodeAgUiFrame(event: AgUiEvent): AgUiFrame {
  const encoded: Uint8Array = toolkit().call("agUiFrame", stringifyJson(event as Json));
  const length = new DataView(encoded.buffer, encoded.byteOffset).getUint32(0, true);
  const start = 4 + length;
  return {
    frame: encoded.slice(start),
    lost: JSON.parse(new TextDecoder().decode(encoded.subarray(4, start))) as string[],
  };
}

/**
 * Returns fewer events that produce the same messages, in the same order, and the same state. Use
 * it for a log that is read again. The deltas of one text are merged into one, and the patches of a
 * state that the run sent are applied to it. No other event is changed or moved.
 */
export function compactAgUiEvents(events: readonly AgUiEvent[]): AgUiEvent[] {
  check("compactAgUiEvents", { events: "list" }, [events]);
  return parseJson(
    toolkit().call("agUiCompact", stringifyJson(events as unknown as Json)),
  ) as unknown as AgUiEvent[];
}
