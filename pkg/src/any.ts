// The exports that the entry points for all protocols share: tool calls, events, the preparation of
// the first read, and
// `connect`.

import type { Chat } from "./connect/chat.js";
import type { Dialect } from "./connect/dialect.js";
import { createChat } from "./connect/create_chat.js";
import type { ChangeableOptions } from "./connect/options.js";
import { must } from "./core/errors.js";
import type { Snapshots, Protocol, ProtocolChoice } from "./core/outcome.js";
import type { DefaultProtocol } from "./generated/contract.js";
import { DIALECTS, type DialectOptions } from "./generated/registry/dialects.js";
import { ALL, CALLS } from "./generated/registry/protocols.js";
import type { AgentwireSource } from "./read/body.js";
import { AnyEventDecoder, type EventsOptions, type StreamEntry, eventsOf } from "./read/events.js";
import { warmed } from "./read/read.js";
import { type ToolCall, viewsOf } from "./read/tool_call_view.js";

/**
 * Returns the tool calls of a snapshot, in the order of their appearance. The snapshot may have
 * been stored and parsed again.
 */
export function toolCalls(snapshot: Snapshots[Protocol]["answer"]): ToolCall[] {
  return viewsOf(snapshot, CALLS);
}

/** Returns the tool calls that wait for the client: see {@link ToolCall.pending}. */
export function pendingToolCalls(snapshot: Snapshots[Protocol]["answer"]): ToolCall[] {
  return toolCalls(snapshot).filter(({ pending }) => pending);
}

/** {@link AnyEventDecoder} for any protocol. */
export class EventDecoder<P extends ProtocolChoice = DefaultProtocol> extends AnyEventDecoder<P> {
  /** @throws AgentwireError `wrong-argument`, `wrong-option` or `unknown-protocol` */
  constructor(options: EventsOptions<P> = {}) {
    super(ALL, options);
  }
}

/**
 * Reads the events of an agent's stream without building a snapshot. Each event is validated
 * individually: an event that does not match the protocol is an entry of kind `malformed`. Leaving
 * the loop cancels the body.
 *
 * ```js
 * for await (const entry of events(fetch("/process", { method: "POST", headers, body }), { protocol: "auto" })) {
 *   if (entry.kind === "event") show(entry.event);
 * }
 * ```
 *
 * @param source a response or a promise of one, a byte stream, or an async iterable of bytes
 * @throws AgentwireError for invalid options, immediately; in the loop `HttpError`, and
 * `ConnectionError` without an `outcome`
 */
export function events<P extends ProtocolChoice = DefaultProtocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: EventsOptions<P> = {},
): AsyncGenerator<StreamEntry<P>, void, undefined> {
  return eventsOf<P>(ALL, source, options);
}

/**
 * Reads a short sample stream, so that the code is compiled before the first real one: about ten
 * milliseconds of work, best done while a request is pending. `read(fetch(…))` does so
 * automatically; call this function next to the request if the bytes come from another source. Does
 * nothing if a stream has been read before, and before `init()`.
 *
 * @param protocol the protocol that will be read; the first of the protocols by default
 */
export function warm(protocol?: ProtocolChoice): void {
  warmed(ALL, protocol);
}

/** A protocol of agents, to which `connect` connects. */
export type ConnectableProtocol = keyof DialectOptions;

/** The options of `connect` for a protocol, and its name. */
export type ConnectOptions<P extends ConnectableProtocol = ConnectableProtocol> = {
  readonly [Each in ConnectableProtocol]: DialectOptions[Each] & { readonly protocol: Each };
}[P];

/**
 * Connects to an agent of any protocol. Sends nothing yet. The entry point of a single protocol has
 * the same function without `protocol`, and is smaller.
 *
 * ```js
 * const chat = connect("/ag-ui", { protocol: "ag-ui" });
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param url the URL of the agent; must be absolute outside of pages
 * @throws AgentwireError `unknown-protocol`, and `wrong-option` for an option that does not exist
 */
export function connect<P extends ConnectableProtocol>(
  url: string | URL,
  options: { readonly protocol: P } & DialectOptions[P],
): Chat<Snapshots[P]["answer"], ChangeableOptions<DialectOptions[P]>> {
  const { protocol, ...rest } = Object(options) as typeof options;
  must(
    Object.hasOwn(DIALECTS, protocol),
    "unknown-protocol",
    `connect(): option \`protocol\` is one of ${Object.keys(DIALECTS).join(", ")}`,
  );
  return createChat(
    DIALECTS[protocol] as unknown as Dialect<P, DialectOptions[P]>,
    url,
    rest as unknown as DialectOptions[P],
  );
}

export * from "./chatting.js";
export type { AgentStream, ReadOptions } from "./read/read.js";
export type { DecoderOptions } from "./read/options.js";
export type { AnyProtocol, Outcome, Protocol, ProtocolChoice, Update } from "./core/outcome.js";
export type { EventOf, EventsOptions, StreamEntry, StreamEvent } from "./read/events.js";
