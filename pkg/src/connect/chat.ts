// A chat: the conversation with an agent, as a store for user interfaces and as an async client.

import type { Json } from "../agentwire.js";
import type { Report } from "../core/findings.js";
import type { ChatError, Message, ToolPart, UserPart } from "./message.js";

/** An object of JSON. */
export interface JsonRecord {
  readonly [name: string]: Json;
}

/** What the user sends: a text, or texts and files. */
export type UserInput = string | readonly (UserPart | Blob)[];

/** The options of one message. All are optional. */
export interface SendOptions {
  /** Aborting it stops the run of this message, as `stop` does. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The metadata of the message, which `messages` has. It is sent in the protocols whose messages
   * have metadata: AG-UI, A2A, AI SDK.
   */
  readonly metadata?: JsonRecord | undefined;
}

/**
 * The status of a chat, as the AI SDK's `ChatStatus`. `submitted`: no part of an answer has
 * arrived.
 */
export type ChatStatus = "ready" | "submitted" | "streaming" | "error";

/**
 * The state of a chat: immutable plain data, and the same object as long as nothing changes. `S` is
 * the snapshot of the protocol.
 */
export interface ChatState<S = unknown> {
  /** The id of the conversation. */
  readonly id: string;
  /** All messages, oldest first. An unchanged message is the same object as before. */
  readonly messages: readonly Message[];
  readonly status: ChatStatus;
  /** Whether a run or a tool is in progress. */
  readonly isBusy: boolean;
  /** Whether the stored conversation is being loaded. */
  readonly isLoading: boolean;
  /** Whether `retry` repeats something: the last request has failed or was stopped. */
  readonly canRetry: boolean;
  /** Whether `edit` and `regenerate` can go back in the conversation. */
  readonly canEdit: boolean;
  /**
   * The parts that wait for `answer`, `approve` or `decline`: the same objects as in `messages`.
   */
  readonly pending: readonly ToolPart[];
  /** The reason why the last run failed. */
  readonly error: ChatError | undefined;
  /** The last snapshot of the protocol, with its usage, shared state and steps. */
  readonly snapshot: S | undefined;
  /**
   * The report on the last stream that has ended: its violations, and the way in which it ended.
   */
  readonly report: Report | undefined;
}

/**
 * The answer to one message, with its tool rounds. Iterate over it for the states of the chat, at
 * most one per frame; leaving the loop does not stop the run.
 */
export interface Run<S = unknown> extends AsyncIterable<ChatState<S>> {
  /**
   * The id of the user's message; undefined if nothing was sent: an empty text, or a message during
   * a run with `whileBusy: "refuse"`.
   */
  readonly messageId: string | undefined;
  /**
   * Resolves to the state when the run has ended in any way, or waits for the user. Never rejects:
   * see `error` of the state.
   */
  finished(): Promise<ChatState<S>>;
  /**
   * Resolves to the text of the answer.
   *
   * Rejects with the error of the run: the thrown one, or an `AgentwireError` with code
   * `agent-failed` for a failure that the agent has reported.
   */
  text(): Promise<string>;
}

/**
 * A conversation with an agent. Its functions do not depend on `this`. `S` is the snapshot of the
 * protocol, `O` the options that `set` accepts.
 */
export interface Chat<S = unknown, O = object> extends AsyncDisposable {
  /**
   * Calls `listener` after each change: at most once per frame, and immediately when a run ends.
   * Returns a function that ends the subscription.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the state of the last notification. */
  readonly getSnapshot: () => ChatState<S>;
  /** Returns the state for server rendering and hydration: without the stored conversation. */
  readonly getServerSnapshot: () => ChatState<S>;
  /**
   * Sends a message, which `messages` has immediately. Calls and questions that wait for the user
   * count as not answered.
   *
   * @throws AgentwireError `wrong-argument` for another input. A failure of the run is not thrown
   */
  readonly send: (input: UserInput, options?: SendOptions) => Run<S>;
  /**
   * Answers a call that waits for the user. When nothing else waits, the answers are sent.
   *
   * Returns false if the call was answered before, for example by the first of two presses of a
   * button.
   *
   * @throws AgentwireError `not-pending` if the id is that of a question, of no call, or of a call
   * that waits for nothing
   */
  readonly answer: (toolCallId: string, value: Json) => boolean;
  /**
   * Approves a question, optionally with a value, for example that of its schema. Otherwise the
   * same as `answer`.
   *
   * @param id `approval.id` of the part
   */
  readonly approve: (id: string, value?: Json) => boolean;
  /**
   * Declines a question, optionally with a value; a string is the reason. Otherwise the same as
   * `approve`.
   */
  readonly decline: (id: string, value?: Json) => boolean;
  /** Stops the run and the tools in progress. The parts that have arrived are kept. */
  readonly stop: () => void;
  /**
   * Repeats the last request, if it has failed or was stopped. Returns false otherwise, and during
   * a run.
   */
  readonly retry: () => boolean;
  /**
   * Requests another answer. Later messages are removed. Returns false if the server keeps the
   * conversation, and during a run.
   *
   * @param messageId the id of the answer or of its question; the last one by default
   */
  readonly regenerate: (messageId?: string) => boolean;
  /**
   * Replaces a message of the user, and requests an answer to it. Later messages are removed.
   * Returns false during a run, if the server keeps the conversation, and if no message has this
   * id.
   */
  readonly edit: (messageId: string, input: UserInput) => boolean;
  /** Stops the run, and starts a new conversation. */
  readonly clear: () => void;
  /** Changes options, from the next request on: for example tools with the newest closures. */
  readonly set: (options: Partial<O>) => void;
  /** Resolves to the state when no run is in progress. Never rejects. */
  readonly finished: () => Promise<ChatState<S>>;
}
