// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The public API of `agentwire/responses`.

import type { AgentwireSource } from "../body.js";
import { AnyDecoder } from "../decoder.js";
import * as entries from "../events.js";
import type { OptionsFor } from "../options.js";
import type { OutcomeOf, UpdateOf } from "../outcome.js";
import * as reading from "../read.js";
import { type ToolCall, viewsOf } from "../tool_call_view.js";
import { warmed } from "../warm.js";
import { isReady } from "../wasm.js";
import { RESPONSES, callsOf } from "./protocol.js";
import type { ResponsesTypes } from "./types.js";

export * from "../neutral.js";
export * from "./names.js";
export { connect } from "./connect.js";
export type { ResponsesConnectInput as ConnectInput, ResponsesConnectOptions as ConnectOptions } from "./connect.js";

const READS = [RESPONSES] as const;

/** The options of {@link Decoder}. */
export interface DecoderOptions extends OptionsFor<"responses"> {}
/** The options of {@link read}. */
export interface ReadOptions extends DecoderOptions, reading.StopOptions {}
/** The options of {@link events} and {@link EventDecoder}. */
export interface EventsOptions extends entries.EventsOptions<"responses"> {}
/** A stream that is being read. */
export type AgentStream = reading.AgentStream<"responses">;
/** The changes of a snapshot. */
export interface Update extends UpdateOf<"responses"> {}
/** The result of reading a stream. */
export interface Outcome extends OutcomeOf<"responses"> {}
/** An event of a stream. */
export interface StreamEvent extends entries.StreamEvent<"responses"> {}
/** An event, a malformed event, or a comment of a stream: `switch` on `kind`. */
export type StreamEntry = entries.StreamEntry<"responses">;

/**
 * Reads an agent's answer.
 *
 * @param source a response (or the promise of one), a stream of bytes, or anything that yields bytes
 */
export function read(source: AgentwireSource | PromiseLike<AgentwireSource>, options: ReadOptions = {}): AgentStream {
  return reading.streamOf<"responses">(READS, source, options);
}

/** Reads one stream whose bytes come from wherever you have them, cut anywhere. */
export class Decoder extends AnyDecoder<"responses"> {
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
  return entries.eventsOf<"responses">(READS, source, options);
}

/** Reads the events of one stream whose bytes come from wherever you have them, cut anywhere. */
export class EventDecoder extends entries.AnyEventDecoder<"responses"> {
  /** Throws an `AgentwireError` with code `wrong-argument` or `wrong-option`. */
  constructor(options: EventsOptions = {}) {
    super(READS, options);
  }
}

/** The tool calls of a snapshot, in the order of their appearance. Also of one that was stored and read again. */
export function toolCalls(snapshot: ResponsesTypes["answer"]): ToolCall[] {
  return viewsOf(snapshot, [callsOf]);
}

/** The tool calls that wait for the client: see {@link ToolCall.pending}. */
export function pendingToolCalls(snapshot: ResponsesTypes["answer"]): ToolCall[] {
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
