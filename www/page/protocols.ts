// The protocols by the names that people know, which the package says.

import { PROTOCOLS, PROTOCOL_TITLES, type Protocol } from "agentwire";
import type { Recording } from "./recording.js";

/** The name of a protocol for people. */
export function titleOf(protocol: Protocol): string {
  return PROTOCOL_TITLES[protocol];
}

/** What the reader of this page can say that a stream is, `auto` being that its first event tells. */
export type ProtocolOption = Protocol | "auto";

/** Recognises a choice in what a page's control says. */
export function protocolOptionOf(value: string): ProtocolOption {
  return PROTOCOLS.find((protocol) => protocol === value) ?? "auto";
}

/** Returns the name of the protocol of a recording; null while it is not known, and without an event that shows it. */
export function nameOf({ protocol, protocolOption, events, violations }: Recording): string | null {
  const isUnknown = protocolOption === "auto" && violations.get(0)?.some(({ rule }) => rule === "unknown-protocol");
  return protocol === undefined || events === 0 || isUnknown ? null : titleOf(protocol);
}
