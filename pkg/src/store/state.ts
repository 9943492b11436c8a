// What a store says of a run: plain values of one moment.

import { AgentwireError, isA } from "../errors.js";
import type { DefaultProtocol } from "../generated.js";
import type { AnyProtocol, Outcome, Update } from "../outcome.js";
import type { Report } from "../findings.js";
import { CALLS } from "../protocols.js";
import { type ToolCall, viewsOf } from "../tool_call_view.js";

/**
 * How far a run has come.
 *
 * - `idle`: it was not started
 * - `connecting`: it was asked for, and nothing has come
 * - `streaming`: the answer is growing
 * - `done`: the stream has ended as its protocol says. Tool calls may wait for an answer
 * - `failed`: the server could not be read, the stream was cut off, or the agent says that it has failed
 * - `aborted`: it was stopped, here or by the server
 */
export type StoreStatus = "idle" | "connecting" | "streaming" | "done" | "failed" | "aborted";

/** Why a run has failed. */
export interface RunError {
  /**
   * That of the `AgentwireError` which was thrown (`http-status`, `connection-lost` …), or the agent's own code; `cut-off` where
   * the stream just ended, `refused` where a strict reader did not go on, `agent-failed` where the agent gave no code, and
   * `source-failed` where the function that asks threw something else.
   */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** What was thrown; undefined where the stream said it. */
  readonly cause: unknown;
}

/** A run as it is now. The same object as long as nothing changes; what is in it never changes. */
export interface RunState<P extends AnyProtocol = DefaultProtocol> {
  readonly status: StoreStatus;
  /** The answer so far; undefined as long as nothing has come. */
  readonly snapshot: Update<P>["snapshot"] | undefined;
  /** Every tool call and approval of the answer. One that has not changed is the same object as before. */
  readonly toolCalls: readonly ToolCall[];
  /** Those that wait for an answer from here. */
  readonly pending: readonly ToolCall[];
  /** How the stream ended and what was wrong with it; undefined until it is over. */
  readonly report: Report | undefined;
  /** Undefined unless `status` is `failed`. */
  readonly error: RunError | undefined;
}

/** A run that nobody has started. */
export const IDLE: RunState<never> = Object.freeze({
  status: "idle",
  snapshot: undefined,
  toolCalls: [],
  pending: [],
  report: undefined,
  error: undefined,
});

/** The calls of an answer; those that are as they were before are the same objects. */
export function callsOf(snapshot: unknown, before: readonly ToolCall[]): readonly ToolCall[] {
  const calls = viewsOf(snapshot, CALLS).map((call, at) => {
    const known = before[at];
    return known !== undefined && isSame(known, call) ? known : call;
  });
  return calls.length === before.length && calls.every((call, at) => call === before[at]) ? before : calls;
}

/** `arguments` and `partialArguments` follow from these. */
function isSame(one: ToolCall, other: ToolCall): boolean {
  const members = ["id", "name", "kind", "state", "argumentsText", "pending"] as const;
  return members.every((member) => one[member] === other[member]) && one.result?.text === other.result?.text;
}

/** How a stream ended that could be read. */
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
  // Some servers leave the end marker out of answers that are whole.
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

/** What answers say of their end; those that are a task, in its status. */
interface Ended {
  readonly error?: { readonly code?: unknown; readonly message?: string } | null;
  readonly status?: string;
  readonly task?: { readonly status?: { readonly state?: string; readonly message?: { readonly parts?: readonly { readonly text?: string }[] } } } | null;
}

const WHOLE: readonly string[] = ["completed", "awaiting-tool-results", "interrupted"];

/** How a run ended that threw. */
export function endBy(cause: unknown): Pick<RunState, "status" | "error"> {
  return failure(isA(cause, AgentwireError) ? cause.code : "source-failed", isA(cause, Error) ? cause.message : String(cause), cause);
}

function failure(code: string, message: string, cause?: unknown): Pick<RunState, "status" | "error"> {
  return { status: "failed", error: { code, message, cause } };
}
