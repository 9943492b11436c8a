// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The public API of `agentwire/a2a`.

import type { AgentwireSource } from "../body.js";
import { AnyDecoder } from "../decoder.js";
import * as entries from "../events.js";
import type { OptionsFor } from "../options.js";
import type { OutcomeOf, UpdateOf } from "../outcome.js";
import * as reading from "../read.js";
import { type ToolCall, viewsOf } from "../tool_call_view.js";
import { warmed } from "../warm.js";
import { isReady } from "../wasm.js";
import { A2A, callsOf } from "./protocol.js";
import type { A2aTypes } from "./types.js";

export * from "../neutral.js";
export * from "./names.js";
export { connect } from "./connect.js";
export type { A2aConnectInput as ConnectInput, A2aConnectOptions as ConnectOptions } from "./connect.js";

const READS = [A2A] as const;

/** The options of {@link Decoder}. */
export interface DecoderOptions extends OptionsFor<"a2a"> {}
/** The options of {@link read}. */
export interface ReadOptions extends DecoderOptions, reading.StopOptions {}
/** The options of {@link events} and {@link EventDecoder}. */
export interface EventsOptions extends entries.EventsOptions<"a2a"> {}
/** A stream that is being read. */
export type AgentStream = reading.AgentStream<"a2a">;
/** The changes of a snapshot. */
export interface Update extends UpdateOf<"a2a"> {}
/** The result of reading a stream. */
export interface Outcome extends OutcomeOf<"a2a"> {}
/** An event of a stream. */
export interface StreamEvent extends entries.StreamEvent<"a2a"> {}
/** An event, a malformed event, or a comment of a stream: `switch` on `kind`. */
export type StreamEntry = entries.StreamEntry<"a2a">;

/**
 * Reads an agent's answer.
 *
 * @param source a response (or the promise of one), a stream of bytes, or anything that yields bytes
 */
export function read(source: AgentwireSource | PromiseLike<AgentwireSource>, options: ReadOptions = {}): AgentStream {
  return reading.streamOf<"a2a">(READS, source, options);
}

/** Reads one stream whose bytes come from wherever you have them, cut anywhere. */
export class Decoder extends AnyDecoder<"a2a"> {
  /** Throws an `AgentwireError` with code `wrong-argument` or `wrong-option`. */
  constructor(options: DecoderOptions = {}) {
    super(READS, options);
  }
}

/** The events of an agent's stream as they come, without an answer made of them. */
export function events(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: EventsOptions = {},
): AsyncGenerator<StreamEntry, void, undefined> {
  return entries.eventsOf<"a2a">(READS, source, options);
}

/** Reads the events of one stream whose bytes come from wherever you have them, cut anywhere. */
export class EventDecoder extends entries.AnyEventDecoder<"a2a"> {
  /** Throws an `AgentwireError` with code `wrong-argument` or `wrong-option`. */
  constructor(options: EventsOptions = {}) {
    super(READS, options);
  }
}

/** The tool calls of a snapshot, in the order of their appearance. Also of one that was stored and read again. */
export function toolCalls(snapshot: A2aTypes["answer"]): ToolCall[] {
  return viewsOf(snapshot, [callsOf]);
}

/** The tool calls that wait for the client: see {@link ToolCall.pending}. */
export function pendingToolCalls(snapshot: A2aTypes["answer"]): ToolCall[] {
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
