// The states of runs and conversations in a store: immutable plain values.

import type { Json } from "../agentwire.js";
import { AgentwireError, isA } from "../core/errors.js";
import type { Report } from "../core/findings.js";
import type { AnyProtocol, Outcome, Update } from "../core/outcome.js";
import type { DefaultProtocol } from "../generated/contract.js";
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

/** All values of {@link StoreStatus}. */
export const STATUSES: ReadonlySet<StoreStatus> = new Set(["idle", "connecting", "streaming", "done", "failed", "aborted"]);

/** The reason why a run failed. */
export interface RunError {
  /**
   * The code of the thrown `AgentwireError` (`http-status`, `connection-lost` …), or the code of the agent; `cut-off`
   * if the stream ended without a terminal event, `refused` if a strict reader stopped at a violation, `limit-exceeded` if
   * a limit has cut the response, `agent-failed` if the agent sent no code, and `source-failed` if the function that starts
   * the run threw another error.
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
export function endOf({ snapshot, report }: Outcome<AnyProtocol>): Pick<RunState, "status" | "error"> {
  const { endReason, events, unknown, violations } = report;
  const { error, task, status = task?.status?.state?.replace("TASK_STATE_", "").toLowerCase() ?? "" } = snapshot as SnapshotEnd;
  if (endReason === "aborted" || status.startsWith("cancel")) {
    return { status: "aborted", error: undefined };
  }
  if (error != null || status === "failed" || status === "rejected" || endReason === "error") {
    const text = error?.message || task?.status?.message?.parts?.find(({ text }) => text)?.text;
    return failure(String(error?.code || "agent-failed"), text || `the run is ${status}`);
  }
  if (endReason === "refused") {
    const { rule, actual } = violations.at(-1) ?? { rule: "another protocol", actual: "" };
    return failure(endReason, `the stream is not read any further: ${rule}${actual && `: ${actual}`}`);
  }
  if (isCut(report)) {
    const { actual = "" } = violations.find(({ rule }) => rule === CUT) ?? {};
    return failure(CUT, `a limit of the reader has cut the response: ${actual}; raise it in the option \`limits\` of the reader`);
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
  const message =
    events === 0
      ? "no event has come: the body is empty, or no event stream"
      : isForeign
        ? `no event is of this protocol: ${Object.keys(unknown).slice(0, 3).join(", ")}`
        : "the stream ended before the answer was complete";
  return failure("cut-off", message);
}

/** The rule of a value that a limit refused. */
const CUT = "limit-exceeded";

function isCut({ counts }: Report): boolean {
  return Object.hasOwn(counts, CUT);
}

/** Returns the property of a turn that marks a snapshot which a limit of the reader has cut. */
export function cutOf(report: Report | undefined): { readonly cut?: true } {
  return report !== undefined && isCut(report) ? { cut: true } : {};
}

/** The properties of snapshots that describe their end; for tasks, in their status. */
interface SnapshotEnd {
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

/** The result of a pending tool call. */
export interface ToolResult {
  /** Distinguishes results from decisions. */
  readonly kind: "call";
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool; null if the call has none. */
  readonly name: string | null;
  /** The result, as JSON; text of a tool is a string. */
  readonly value: Json;
}

/** The decision on a pending approval. */
export interface ApprovalDecision {
  /** Distinguishes decisions from results. */
  readonly kind: "approval";
  /** The id of the approval. */
  readonly id: string;
  /** The name of the approval: the tool, or the reason. */
  readonly name: string | null;
  /** Whether the user approved. */
  readonly approved: boolean;
  /** The further content of the decision; null if it has none. */
  readonly value: Json;
}

/** An answer to a pending call or approval of the turn before. */
export type ConversationAnswer = ToolResult | ApprovalDecision;

/** A call or approval that can be answered. */
export type PendingCall = ToolCall & { readonly id: string };

/** The message of the user, or the answers, and the run that responds. */
export interface Turn<P extends AnyProtocol = DefaultProtocol, M = string> extends RunState<P> {
  /** The number of the turn, from 1. It is stable and can be used as a key. */
  readonly id: number;
  /** The message of the user; undefined if this turn only answers the one before. */
  readonly message: M | undefined;
  /** The answers to the calls and approvals of the turn before; empty if there were none. */
  readonly answers: readonly ConversationAnswer[];
  /** True if a limit of the reader has cut the snapshot. Requests do not repeat it. */
  readonly cut?: true;
}

/** The part of a turn to store: plain data, for `structuredClone`, IndexedDB and the package's `stringifyJson`. */
export type StoredTurn<P extends AnyProtocol = DefaultProtocol, M = string> = Pick<Turn<P, M>, "message" | "answers" | "snapshot" | "status" | "cut">;

/** The request of a turn. */
export interface TurnRequest<P extends AnyProtocol = DefaultProtocol, M = string> {
  /** The id of the conversation, which is the same for all its requests. */
  readonly conversationId: string;
  /** The message of the user; undefined if the request only sends answers. */
  readonly message: M | undefined;
  /** The answers to the turn before: to all of its pending calls and approvals, or an empty list. */
  readonly answers: readonly ConversationAnswer[];
  /** The turns before. */
  readonly turns: readonly Turn<P, M>[];
  /** Aborted when the turn is stopped. Pass it to `fetch` and `read`. */
  readonly signal: AbortSignal;
}

/**
 * A tool that runs on the client. Its return value is the result; a thrown error is sent as a result with its message.
 */
export type ClientTool = (value: Json, context: { readonly call: ToolCall; readonly signal: AbortSignal }) => Json | PromiseLike<Json>;

/** The state of a conversation. It is the same object as long as nothing changes. */
export interface ConversationState<P extends AnyProtocol = DefaultProtocol, M = string> {
  /** The id of the conversation: `id` of the options, or a new one, also after `clear`. */
  readonly id: string;
  /** The turns, oldest first. An unchanged turn is the same object as before. */
  readonly turns: readonly Turn<P, M>[];
  /** The status of the last turn. */
  readonly status: StoreStatus;
  /** Whether a run is in progress, or one of the `tools`. */
  readonly isBusy: boolean;
  /**
   * The approvals and the calls of the last turn that wait for the user. Calls of `tools` and those that were answered
   * are not included.
   */
  readonly pending: readonly PendingCall[];
  /** The reason why the last turn failed. */
  readonly error: RunError | undefined;
}

/** A conversation as a store. Its functions do not depend on `this`. */
export interface Conversation<P extends AnyProtocol = DefaultProtocol, M = string> extends AsyncDisposable {
  /**
   * Calls `listener` after each change, at most once per frame. When the last subscriber leaves and none follows until
   * the next task, a run in progress is stopped, unless `keepAlive` is true.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the state of the last notification, which is the same object until the next one. */
  readonly getSnapshot: () => ConversationState<P, M>;
  /** Returns the state for server rendering and hydration: that of the initial turns. */
  readonly getServerSnapshot: () => ConversationState<P, M>;
  /**
   * Sends a message. Pending calls and approvals are dropped. Right after `stop`, the message is sent when the stopped
   * turn has ended.
   *
   * Returns false, and sends nothing, while a run or tool is in progress that was not stopped, for example after a
   * second press of a key or a second call of an effect in React's strict mode. Never throws.
   */
  readonly send: (message: M) => boolean;
  /** Stops the run or tool in progress. The snapshot so far is kept. */
  readonly stop: (reason?: unknown) => void;
  /**
   * Repeats the request of the last turn, and replaces that turn. A conversation never retries automatically. Right
   * after `stop`, it works as `send` does. Returns false if a run is in progress, or if the conversation has no turns.
   * Never throws.
   */
  readonly retry: () => boolean;
  /**
   * Answers a pending call. When nothing else is pending, the answers are sent.
   *
   * Returns false, and changes nothing, if no such call is pending, for example after a second press of a button. Never
   * throws.
   */
  readonly answer: (id: string, value: Json) => boolean;
  /** Approves a pending approval, optionally with a value. Otherwise the same as `answer`. */
  readonly approve: (id: string, value?: Json) => boolean;
  /** Declines a pending approval, optionally with a value. Otherwise the same as `answer`. */
  readonly decline: (id: string, value?: Json) => boolean;
  /** Stops the run in progress, and starts a new conversation. */
  readonly clear: () => void;
  /** Resolves to the state when neither a run nor a tool is in progress. Never rejects. */
  readonly finished: () => Promise<ConversationState<P, M>>;
}
