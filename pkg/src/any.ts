// What works on any protocol and makes no stream: the tool calls, the events, and what is done before the first answer.

import type { AgentwireSource } from "./body.js";
import { AnyEventDecoder, type EventsOptions, type StreamEntry, eventsOf } from "./events.js";
import type { DefaultProtocol } from "./generated.js";
import type { Answers, Protocol, ProtocolChoice } from "./outcome.js";
import { ALL, CALLS } from "./protocols.js";
import { type ToolCall, viewsOf } from "./tool_call_view.js";
import { warmed } from "./warm.js";

/** The tool calls of a snapshot, in the order of their appearance. Also of one that was stored and read again. */
export function toolCalls(snapshot: Answers[Protocol]["answer"]): ToolCall[] {
  return viewsOf(snapshot, CALLS);
}

/** The tool calls that wait for the client: see {@link ToolCall.pending}. */
export function pendingToolCalls(snapshot: Answers[Protocol]["answer"]): ToolCall[] {
  return toolCalls(snapshot).filter(({ pending }) => pending);
}

/** {@link AnyEventDecoder}, of any protocol. */
export class EventDecoder<P extends ProtocolChoice = DefaultProtocol> extends AnyEventDecoder<P> {
  /** Throws an `AgentwireError` with code `wrong-argument`, `wrong-option` or `unknown-protocol`. */
  constructor(options: EventsOptions<P> = {}) {
    super(ALL, options);
  }
}

/**
 * The events of an agent's stream as they come, without an answer made of them. Nothing is judged but each event by itself:
 * one that is none of the protocol's is an entry of kind `malformed`. Leaving the loop cancels the body.
 *
 * ```js
 * for await (const entry of events(fetch("/process", { method: "POST", headers, body }), { protocol: "auto" })) {
 *   if (entry.kind === "event") show(entry.event);
 * }
 * ```
 *
 * @param source a response (or the promise of one), a stream of bytes, or anything that yields bytes
 * @throws AgentwireError for wrong options at once; in the loop `HttpError`, and `ConnectionError` without an `outcome`
 */
export function events<P extends ProtocolChoice = DefaultProtocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: EventsOptions<P> = {},
): AsyncGenerator<StreamEntry<P>, void, undefined> {
  return eventsOf<P>(ALL, source, options);
}

/**
 * Reads a short sample answer, so that the first real one does not wait until the code is compiled: some ten milliseconds
 * of work, to be done while there is something to wait for. `read(fetch(…))` does it by itself; what has another way to its
 * bytes may call it beside its request. It does nothing where an answer has been read before, and before `init()`.
 *
 * @param protocol what will be read: the first of the protocols if nothing is said
 */
export function warm(protocol?: ProtocolChoice): void {
  warmed(ALL, protocol);
}
