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

/** The name of what a recording turned out to be; null while that is not known. */
export function nameOf({ protocol }: Recording): string | null {
  return protocol === undefined ? null : titleOf(protocol);
}
