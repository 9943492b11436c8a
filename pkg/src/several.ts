// The exports of the entry points that read several protocols.

export type { AgentStream, ReadOptions } from "./read.js";
export type { DecoderOptions } from "./options.js";
export type { AnyProtocol, Outcome, Protocol, ProtocolChoice, Update } from "./outcome.js";
export type { EventOf, EventsOptions, StreamEntry, StreamEvent } from "./events.js";
