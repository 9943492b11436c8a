// Fewer AG-UI events that come to the same.

import type { Json } from "../agentwire.js";
import { check } from "../arguments.js";
import { parseJson, stringifyJson } from "../json.js";
import { toolkit } from "../wasm.js";
import type { AgUiEvent } from "./events.js";

/**
 * Makes fewer events of many, which come to the same messages, in the same order, and to the same state: for a log that is read
 * again. Pieces of one text become one, patches of a state that a run has said become that state. No other event is changed
 * or moved.
 */
export function compactAgUiEvents(events: readonly AgUiEvent[]): AgUiEvent[] {
  check("compactAgUiEvents", { events: "list" }, [events]);
  return parseJson(toolkit().call("agUiCompact", stringifyJson(events as unknown as Json))) as unknown as AgUiEvent[];
}
