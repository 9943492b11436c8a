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
 * Reads the stream of an agent.
 *
 * @param source a `Response` (or a promise of one), a stream of bytes, or an async iterable of bytes
 */
export function read(source: AgentwireSource | PromiseLike<AgentwireSource>, options: ReadOptions = {}): AgentStream {
  return reading.streamOf<"a2a">(READS, source, options);
}

/** Decodes one stream from chunks of bytes that you push. A chunk can end at any byte. */
export class Decoder extends AnyDecoder<"a2a"> {
  /** @throws AgentwireError `wrong-argument` or `wrong-option` */
  constructor(options: DecoderOptions = {}) {
    super(READS, options);
  }
}

/** Yields the events of an agent's stream as they arrive, without building a snapshot. */
export function events(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: EventsOptions = {},
): AsyncGenerator<StreamEntry, void, undefined> {
  return entries.eventsOf<"a2a">(READS, source, options);
}

/** Decodes the events of one stream from chunks of bytes that you push. A chunk can end at any byte. */
export class EventDecoder extends entries.AnyEventDecoder<"a2a"> {
  /** @throws AgentwireError `wrong-argument` or `wrong-option` */
  constructor(options: EventsOptions = {}) {
    super(READS, options);
  }
}

/** Returns the tool calls of a snapshot in the order of their appearance. The snapshot can be one that was stored and parsed again. */
export function toolCalls(snapshot: A2aTypes["answer"]): ToolCall[] {
  return viewsOf(snapshot, [callsOf]);
}

/** Returns the tool calls that wait for the client: see {@link ToolCall.pending}. */
export function pendingToolCalls(snapshot: A2aTypes["answer"]): ToolCall[] {
  return toolCalls(snapshot).filter(({ pending }) => pending);
}

/** Reads a short sample stream, so that the first real stream does not wait for compilation. `read(fetch(…))` does this itself. */
export function warm(): void {
  warmed(READS);
}

/** Returns whether streams can be read: immediately in Node and workers, after `init()` in a page. */
export function ready(): boolean {
  return isReady(READS);
}
