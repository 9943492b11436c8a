// The state of a stream in a store: immutable plain values.

import type { Report } from "../core/findings.js";
import type { AnyProtocol, Update } from "../core/outcome.js";
import type { DefaultProtocol } from "../generated/contract.js";
import { CALLS } from "../generated/registry/protocols.js";
import { type ToolCall, viewsOf } from "../read/tool_call_view.js";
import type { ChatError } from "./ending.js";

/**
 * The progress of a stream.
 *
 * - `idle`: not started
 * - `sending`: requested, without an event so far
 * - `streaming`: receiving the response
 * - `done`: ended as the protocol defines. Tool calls may wait for an answer
 * - `failed`: the server could not be read, the stream was cut off, or the agent reported a failure
 * - `stopped`: stopped by the client or the server
 */
export type StreamStatus = "idle" | "sending" | "streaming" | "done" | "failed" | "stopped";

/**
 * The state of a stream. It is the same object as long as nothing changes, and its values are
 * immutable.
 */
export interface StreamState<P extends AnyProtocol = DefaultProtocol> {
  /** The status: `idle`, `sending`, `streaming`, `done`, `failed` or `stopped`. */
  readonly status: StreamStatus;
  /** The snapshot of the response so far; undefined before the first event. */
  readonly snapshot: Update<P>["snapshot"] | undefined;
  /**
   * All tool calls and approvals of the response. An unchanged one is the same object as before.
   */
  readonly toolCalls: readonly ToolCall[];
  /** The tool calls and approvals that wait for an answer of the client. */
  readonly pending: readonly ToolCall[];
  /**
   * The report on the stream: its violations, and the way in which it ended; undefined until then.
   */
  readonly report: Report | undefined;
  /** The reason for the status `failed`; undefined for others. */
  readonly error: ChatError | undefined;
}

/** The state of a stream that has not started. */
export const IDLE: StreamState<never> = Object.freeze({
  status: "idle",
  snapshot: undefined,
  toolCalls: [],
  pending: [],
  report: undefined,
  error: undefined,
});

/** Returns the tool calls of a snapshot. Unchanged ones are the same objects as before. */
export function callsOf(snapshot: unknown, before: readonly ToolCall[]): readonly ToolCall[] {
  const calls = viewsOf(snapshot, CALLS).map((call, at) => {
    const known = before[at];
    return known !== undefined && isSame(known, call) ? known : call;
  });
  return calls.length === before.length && calls.every((call, at) => call === before[at])
    ? before
    : calls;
}

/** `arguments` and `partialArguments` are derived from these. */
function isSame(one: ToolCall, other: ToolCall): boolean {
  const members = ["id", "name", "kind", "state", "argumentsText", "pending"] as const;
  return (
    members.every((member) => one[member] === other[member]) &&
    one.result?.text === other.result?.text
  );
}
