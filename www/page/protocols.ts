// The protocols by the names that people know.

import { PROTOCOLS as ALL, PROTOCOL_TITLES, type Protocol } from "agentwire";
import type { Recording } from "./recording.js";

/** The names, in the order in which they are offered. */
export const PROTOCOL_NAMES: Readonly<Record<Protocol, string>> = PROTOCOL_TITLES;

/** Those that the worker speaks. */
export type Served = Exclude<Protocol, "ag-ui">;

/** All of them. */
export const READ: readonly Protocol[] = ALL;

/** Those that the worker speaks. */
export const PROTOCOLS: readonly Served[] = ["agent-api", "ag-kit"];

/** What the reader of this page can say that a stream is, `auto` being that its first event tells. */
export type ProtocolOption = Protocol | "auto";

/** Recognises a choice in what a page's control says. */
export function protocolOptionOf(value: string): ProtocolOption {
  return READ.find((protocol) => protocol === value) ?? "auto";
}

/** The name of what a recording turned out to be; null while that is not known. */
export function nameOf({ protocol, isAgUi }: Recording): string | null {
  return isAgUi ? "AG-UI" : protocol === undefined ? null : PROTOCOL_NAMES[protocol];
}
