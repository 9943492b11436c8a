// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The public API of `agentwire/ag-ui`.

import type { Source } from "../body.js";
import { AnyDecoder } from "../decoder.js";
import { AnyEventDecoder, type EventsOptions, type StreamEntry, eventsOf } from "../events.js";
import type { OptionsFor } from "../options.js";
import { type Run, type RunSettings, run } from "../read.js";
import { type ToolCallView, viewsOf } from "../tool_call_view.js";
import { warmed } from "../warm.js";
import { isReady } from "../wasm.js";
import { AG_UI, callsOf } from "./protocol.js";
import type { AgUiTypes } from "./types.js";

export * from "../neutral.js";
export * from "./names.js";
export { connect } from "./connect.js";
export type { AgUiConnectInput as ConnectInput, AgUiConnectOptions as ConnectOptions } from "./connect.js";

const READS = [AG_UI] as const;

/** How a stream is read. Everything is optional. */
export type ReadOptions = OptionsFor<"ag-ui">;
/** How a stream is read, and when to stop. */
export type RunOptions = ReadOptions & RunSettings;

/**
 * Reads an agent's answer.
 *
 * @param source a response (or the promise of one), a stream of bytes, or anything that yields bytes
 */
export function read(source: Source | PromiseLike<Source>, options: RunOptions = {}): Run<"ag-ui"> {
  return run(READS, source, options);
}

/** Reads one stream whose bytes come from wherever you have them, cut anywhere. */
export class Decoder extends AnyDecoder<"ag-ui"> {
  /** Throws an `AgentwireError` with code `wrong-argument` or `wrong-option`. */
  constructor(options: ReadOptions = {}) {
    super(READS, options);
  }
}

/** The events of an agent's stream as they come, without an answer made of them. */
export function events(
  source: Source | PromiseLike<Source>,
  options: EventsOptions<"ag-ui"> = {},
): AsyncGenerator<StreamEntry<"ag-ui">, void, undefined> {
  return eventsOf<"ag-ui">(READS, source, options);
}

/** Reads the events of one stream whose bytes come from wherever you have them, cut anywhere. */
export class EventDecoder extends AnyEventDecoder<"ag-ui"> {
  /** Throws an `AgentwireError` with code `wrong-argument` or `wrong-option`. */
  constructor(options: EventsOptions<"ag-ui"> = {}) {
    super(READS, options);
  }
}

/** The tool calls of a snapshot, in the order of their appearance. Also of one that was stored and read again. */
export function toolCalls(snapshot: AgUiTypes["answer"]): ToolCallView[] {
  return viewsOf(snapshot, [callsOf]);
}

/** The tool calls that wait for the client: see {@link ToolCallView.pending}. */
export function pendingToolCalls(snapshot: AgUiTypes["answer"]): ToolCallView[] {
  return toolCalls(snapshot).filter(({ pending }) => pending);
}

/** Reads a short sample answer, so that the first real one does not wait until the code is compiled. `read(fetch(…))` does it by itself. */
export function warm(): void {
  warmed(READS);
}

/** Whether streams can be read: at once in Node and workers, after `init()` in a page. */
export function ready(): boolean {
  return isReady(READS);
}
