// Compacts lists of AG-UI events.

import type { Json } from "../agentwire.js";
import { check } from "../core/arguments.js";
import { parseJson, stringifyJson } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import type { AgUiEvent } from "../generated/ag_ui/events.js";

/**
 * Returns fewer events that produce the same messages, in the same order, and the same state. Use it for a log that is read again. The
 * deltas of one text are merged into one, and the patches of a state that the run sent are applied to it. No other event is changed or
 * moved.
 */
export function compactAgUiEvents(events: readonly AgUiEvent[]): AgUiEvent[] {
  check("compactAgUiEvents", { events: "list" }, [events]);
  return parseJson(toolkit().call("agUiCompact", stringifyJson(events as unknown as Json))) as unknown as AgUiEvent[];
}
