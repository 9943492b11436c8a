// The state of a run in a store: immutable plain values.

import { AgentwireError, isA } from "../core/errors.js";
import type { DefaultProtocol } from "../generated/contract.js";
import type { AnyProtocol, Outcome, Update } from "../core/outcome.js";
import type { Report } from "../core/findings.js";
import { CALLS } from "../generated/registry/protocols.js";
import { type ToolCall, viewsOf } from "../read/tool_call_view.js";

/**
 * The progress of a run.
 *
 * - `idle`: not started
 * - `connecting`: requested, without an event so far
 * - `streaming`: receiving the response
 * - `done`: ended as the protocol defines. Tool calls may wait for an answer
 * - `failed`: the server could not be read, the stream was cut off, or the agent reported a failure
 * - `aborted`: stopped by the client or the server
 */
export type StoreStatus = "idle" | "connecting" | "streaming" | "done" | "failed" | "aborted";

/** The reason why a run failed. */
export interface RunError {
  /**
   * The code of the thrown `AgentwireError` (`http-status`, `connection-lost` …), or the code of the agent; `cut-off`
   * if the stream ended without a terminal event, `refused` if a strict reader stopped at a violation, `agent-failed`
   * if the agent sent no code, and `source-failed` if the function that starts the run threw another error.
   */
  readonly code: string;
  /** The error message, for people. */
  readonly message: string;
  /** The thrown value; undefined if the stream reported the failure. */
  readonly cause: unknown;
}

/** The state of a run. It is the same object as long as nothing changes, and its values are immutable. */
export interface RunState<P extends AnyProtocol = DefaultProtocol> {
  /** The status: `idle`, `connecting`, `streaming`, `done`, `failed` or `aborted`. */
  readonly status: StoreStatus;
  /** The snapshot of the response so far; undefined before the first event. */
  readonly snapshot: Update<P>["snapshot"] | undefined;
  /** All tool calls and approvals of the response. An unchanged one is the same object as before. */
  readonly toolCalls: readonly ToolCall[];
  /** The tool calls and approvals that wait for an answer of the client. */
  readonly pending: readonly ToolCall[];
  /** The report on the stream: its violations, and the way in which it ended; undefined until then. */
  readonly report: Report | undefined;
  /** The reason for the status `failed`; undefined for others. */
  readonly error: RunError | undefined;
}

/** The state of a run that has not started. */
export const IDLE: RunState<never> = Object.freeze({
  status: "idle",
  snapshot: undefined,
  toolCalls: [],
  pending: [],
  report: undefined,
  error: undefined,
});

/** Returns whether a run with this status has started and has not ended. */
export function isUnderWay(status: StoreStatus): boolean {
  return status === "connecting" || status === "streaming";
}

/** Returns the tool calls of a snapshot. Unchanged ones are the same objects as before. */
export function callsOf(snapshot: unknown, before: readonly ToolCall[]): readonly ToolCall[] {
  const calls = viewsOf(snapshot, CALLS).map((call, at) => {
    const known = before[at];
    return known !== undefined && isSame(known, call) ? known : call;
  });
  return calls.length === before.length && calls.every((call, at) => call === before[at]) ? before : calls;
}

/** `arguments` and `partialArguments` are derived from these. */
function isSame(one: ToolCall, other: ToolCall): boolean {
  const members = ["id", "name", "kind", "state", "argumentsText", "pending"] as const;
  return members.every((member) => one[member] === other[member]) && one.result?.text === other.result?.text;
}

/** Returns the status for the end of a stream. */
export function endOf({ snapshot, report: { endReason, events, unknown, violations } }: Outcome<AnyProtocol>): Pick<RunState, "status" | "error"> {
  const { error, task, status = task?.status?.state?.replace("TASK_STATE_", "").toLowerCase() ?? "" } = snapshot as Ended;
  if (endReason === "aborted" || status.startsWith("cancel")) {
    return { status: "aborted", error: undefined };
  }
  if (error != null || status === "failed" || status === "rejected" || endReason === "error") {
    const said = error?.message || task?.status?.message?.parts?.find(({ text }) => text)?.text;
    return failure(String(error?.code || "agent-failed"), said || `the agent says that the run is ${status}`);
  }
  if (endReason === "refused") {
    const { rule, actual } = violations.at(-1) ?? { rule: "another protocol", actual: "" };
    return failure(endReason, `the stream is not read any further: ${rule}${actual && `: ${actual}`}`);
  }
  // Some servers omit the terminal event of complete responses.
  if (endReason === "completed" || WHOLE.includes(status)) {
    return { status: "done", error: undefined };
  }
  const isForeign = events === Object.values(unknown).reduce((sum, count) => sum + count, 0);
  const other = violations.find(({ rule }) => rule === "unknown-protocol");
  if (other !== undefined) {
    return failure("cut-off", `the stream is of another protocol: ${other.actual}`);
  }
  const why =
    events === 0
      ? "no event has come: the body is empty, or no event stream"
      : isForeign
        ? `no event is of this protocol: ${Object.keys(unknown).slice(0, 3).join(", ")}`
        : "the stream ended before the answer was complete";
  return failure("cut-off", why);
}

/** The properties of snapshots that describe their end; for tasks, in their status. */
interface Ended {
  readonly error?: { readonly code?: unknown; readonly message?: string } | null;
  readonly status?: string;
  readonly task?: { readonly status?: { readonly state?: string; readonly message?: { readonly parts?: readonly { readonly text?: string }[] } } } | null;
}

const WHOLE: readonly string[] = ["completed", "awaiting-tool-results", "interrupted"];

/** Returns the status of a run that threw an error. */
export function endBy(cause: unknown): Pick<RunState, "status" | "error"> {
  return failure(isA(cause, AgentwireError) ? cause.code : "source-failed", isA(cause, Error) ? cause.message : String(cause), cause);
}

function failure(code: string, message: string, cause?: unknown): Pick<RunState, "status" | "error"> {
  return { status: "failed", error: { code, message, cause } };
}
