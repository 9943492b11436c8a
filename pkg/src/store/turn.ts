// The types of a conversation. Types only.

import type { Json } from "../agentwire.js";
import type { DefaultProtocol } from "../generated/contract.js";
import type { AnyProtocol } from "../core/outcome.js";
import type { ToolCall } from "../read/tool_call_view.js";
import type { RunError, RunState, StoreStatus } from "./state.js";

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
}

/** The part of a turn to store: plain data, for `structuredClone`, IndexedDB and the package's `stringifyJson`. */
export type StoredTurn<P extends AnyProtocol = DefaultProtocol, M = string> = Pick<Turn<P, M>, "message" | "answers" | "snapshot" | "status">;

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
