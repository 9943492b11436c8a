// What a conversation consists of. Types only.

import type { Json } from "../agentwire.js";
import type { DefaultProtocol } from "../generated.js";
import type { AnyProtocol } from "../outcome.js";
import type { ToolCall } from "../tool_call_view.js";
import type { RunError, RunState, StoreStatus } from "./state.js";

/** The result of a tool call that waited. */
export interface ToolResult {
  readonly kind: "call";
  /** The id of the call. */
  readonly id: string;
  /** The tool; null where the call does not name it. */
  readonly name: string | null;
  /** The result. */
  readonly value: Json;
}

/** The decision on an approval that waited. */
export interface ApprovalDecision {
  readonly kind: "approval";
  /** The id of the approval. */
  readonly id: string;
  /** The name of the approval: the tool, or the reason. */
  readonly name: string | null;
  /** Whether the user approved. */
  readonly approved: boolean;
  /** The other content of the decision; null for none. */
  readonly value: Json;
}

/** An answer to what the turn before has asked. */
export type ConversationAnswer = ToolResult | ApprovalDecision;

/** A call that can be answered. */
export type PendingCall = ToolCall & { readonly id: string };

/** What was asked, and the run that answers it. */
export interface Turn<P extends AnyProtocol = DefaultProtocol, M = string> extends RunState<P> {
  /** Counts from 1, and stays: fit for a key. */
  readonly id: number;
  /** What the user sent; undefined where this turn only answers what the one before has asked. */
  readonly message: M | undefined;
  /** What it answers of the turn before. */
  readonly answers: readonly ConversationAnswer[];
}

/** What of a turn is worth keeping: plain data, which `structuredClone`, IndexedDB and the package's `stringify` take. */
export type StoredTurn<P extends AnyProtocol = DefaultProtocol, M = string> = Pick<Turn<P, M>, "message" | "answers" | "snapshot" | "status">;

/** What is to be asked now. */
export interface TurnRequest<P extends AnyProtocol = DefaultProtocol, M = string> {
  /** The same for every request of a conversation. */
  readonly conversationId: string;
  /** What the user sends; undefined where the request only answers. */
  readonly message: M | undefined;
  /** Answers to what the turn before has asked: all of it, or nothing. */
  readonly answers: readonly ConversationAnswer[];
  /** The turns before. */
  readonly turns: readonly Turn<P, M>[];
  /** Aborted when the turn is to stop: for `fetch` and `read`. */
  readonly signal: AbortSignal;
}

/** A tool that runs here. What it gives is the answer; what it throws is answered as an error, in its words. */
export type ClientTool = (value: Json, context: { readonly call: ToolCall; readonly signal: AbortSignal }) => Json | PromiseLike<Json>;

/** A conversation as it is now. The same object as long as nothing changes. */
export interface ConversationState<P extends AnyProtocol = DefaultProtocol, M = string> {
  /** The name of the conversation at the server: `id` of the options, or a new one, also after `clear`. */
  readonly id: string;
  readonly turns: readonly Turn<P, M>[];
  /** That of the last turn. */
  readonly status: StoreStatus;
  /** A run is under way, or one of the `tools`. */
  readonly isBusy: boolean;
  /** What waits for the user: calls of the last turn that no tool here runs, and approvals. Without those that were answered. */
  readonly pending: readonly PendingCall[];
  /** Why the last turn has failed. */
  readonly error: RunError | undefined;
}

/** Several runs that belong together, as a store. Its functions can be handed on by themselves. */
export interface Conversation<P extends AnyProtocol = DefaultProtocol, M = string> extends AsyncDisposable {
  /**
   * Calls `listener` after each change, at most once per frame. When the last subscriber has left and none has come by the
   * next task, what is under way is stopped, unless it is to be kept.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** The state that was told last: the same object until the next call of the listeners. */
  readonly getSnapshot: () => ConversationState<P, M>;
  /** The state on a server, and in a page that takes over what a server has drawn: the turns that it began with. */
  readonly getServerSnapshot: () => ConversationState<P, M>;
  /**
   * Asks. What was pending is given up. Right after `stop` it asks as soon as the turn that was stopped has ended.
   *
   * Returns false, and sends nothing, while a run or a tool is under way that was not stopped: a second press of a key, or a second
   * call of an effect in React's strict mode. It never throws.
   */
  readonly send: (message: M) => boolean;
  /** Stops what is under way; what has come stays. */
  readonly stop: (reason?: unknown) => void;
  /**
   * Asks what the last turn has asked once more, in its place. A conversation never does that by itself. Right after `stop` as
   * `send`. Returns false where nothing can be asked again: a run is under way, or there is no turn. It never throws.
   */
  readonly retry: () => boolean;
  /**
   * Answers a pending call. When nothing is pending any more, the answers are sent.
   *
   * Returns false, and changes nothing, where no such call waits: a second press of a button, or a call that was given up. It never
   * throws.
   */
  readonly answer: (id: string, value: Json) => boolean;
  /** Says yes to a pending approval, and with `value` more than that. Otherwise as `answer`. */
  readonly approve: (id: string, value?: Json) => boolean;
  /** Says no to a pending approval. Otherwise as `answer`. */
  readonly decline: (id: string, value?: Json) => boolean;
  /** Stops, and begins a new conversation. */
  readonly clear: () => void;
  /** Resolves to the state once nothing is under way; it never rejects. */
  readonly finished: () => Promise<ConversationState<P, M>>;
}
