// The protocols by the names that people know. Which there are, the package says.

import { PROTOCOLS, type Protocol } from "agentwire";
import type { Recording } from "./recording.js";

/** What people call them; one that is not here is called what the package calls it. */
const TITLES: Readonly<Partial<Record<string, string>>> = { "agent-api": "Agent API", "ag-kit": "AG-Kit", "ag-ui": "AG-UI" };

/** The name of a protocol for people. */
export function titleOf(protocol: Protocol): string {
  return TITLES[protocol] ?? protocol;
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
