// The titles of the protocols, from the package.

import { PROTOCOLS, PROTOCOL_TITLES, type Protocol, WRITABLE } from "agentwire";
import type { Recording } from "./recording.js";

/** Returns the title of a protocol. */
export function titleOf(protocol: Protocol): string {
  return PROTOCOL_TITLES[protocol];
}

const FIRST: readonly Protocol[] = ["responses", "ag-ui", "a2a"];

function ordered<P extends Protocol>(protocols: readonly P[]): readonly P[] {
  return [...protocols].sort((one, other) => rank(one) - rank(other));
}

const rank = (protocol: Protocol): number =>
  FIRST.includes(protocol) ? FIRST.indexOf(protocol) : FIRST.length;

/** The protocols in the order of the controls: the most used ones first. */
export const ORDERED = ordered(PROTOCOLS);

/** Those of them that agents write. */
export const WRITTEN = ordered(WRITABLE);

/** The user's choice of the protocol of a stream; `auto` detects it by the first event. */
export type ProtocolOption = Protocol | "auto";

/** Parses the value of a control. */
export function protocolOptionOf(value: string): ProtocolOption {
  return PROTOCOLS.find((protocol) => protocol === value) ?? "auto";
}

/**
 * Returns the name of a recording's protocol; null while it is not known, and if no event
 * identifies it.
 */
export function nameOf({ protocol, protocolOption, events, violations }: Recording): string | null {
  const isUnknown =
    protocolOption === "auto" && violations.get(0)?.some(({ rule }) => rule === "unknown-protocol");
  return protocol === undefined || events === 0 || isUnknown ? null : titleOf(protocol);
}
