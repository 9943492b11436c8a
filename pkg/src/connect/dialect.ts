// The functions of a protocol that a chat uses: its requests, and the view of its answers.

import type { Snapshots, Protocol } from "../core/outcome.js";
import type { PostOptions } from "../http/post.js";
import type { Readables } from "../read/patch.js";
import type { CallsOf } from "../read/tool_call_view.js";
import { type Exchange, type Reply, type UserMessage, lastIndex } from "./exchange.js";
import type { StoredShape } from "./fits.js";
import type { Message } from "./message.js";

/** The exchange to send, and what precedes it. */
export interface ExchangeToSend<S> {
  /** The id of the conversation. */
  readonly conversationId: string;
  /** The id of the request. A request that is repeated because it had no response has the same. */
  readonly requestId: string;
  /**
   * The exchanges before, oldest first. The `replies` of the last one are its answers. Answers that
   * a limit has cut have no snapshot.
   */
  readonly before: readonly Exchange<S>[];
  /** The message of the user; undefined if the request only has the replies. */
  readonly user: UserMessage | undefined;
  /** The messages before the first exchange: the option `messages`. */
  readonly history: readonly Message[];
  /** The exchange whose answer the request replaces, after `regenerate`. */
  readonly replaces?: Exchange<S> | undefined;
}

/** A request, and the options for reading its response. */
export interface ExchangeRequest {
  readonly request: Request;
  readonly read?: object;
  /** The address from which the answer can be read again, if it is known before the response. */
  readonly resumeUrl?: string;
  /**
   * Returns the response with what the reader needs, also for an answer that is read again. By
   * default the response.
   */
  received?(response: Response): Response;
  /**
   * Returns the response to read, which further requests can be necessary for. By default the
   * response to the request.
   */
  answered?(response: Response, send: (request: Request) => Promise<Response>): Promise<Response>;
}

/**
 * Returns the messages of a chat. It is called with each state, and returns unchanged messages as
 * the same objects.
 */
export type View<S> = (exchanges: readonly Exchange<S>[]) => readonly Message[];

/** A protocol for a chat. `O` are the options of `connect`. */
export interface Dialect<P extends Protocol, O, S = Snapshots[P]["answer"]> {
  readonly protocol: P;
  readonly reads: Readables;
  readonly callsOf: CallsOf;
  /** The names of the options that the protocol adds. */
  readonly options: readonly string[];
  /**
   * Who keeps the conversation. `client`: each request contains it. `branches`: the server, and a
   * request can continue from any answer. `server`: the server, which cannot go back, so that there
   * is no `edit` and no `regenerate`.
   */
  readonly history: "client" | "branches" | "server";
  /** The shape of the parts of a stored snapshot that requests and views use. */
  readonly stored: StoredShape;
  /**
   * Returns the view of a chat whose own tools have these names. `history` is shown in front of it.
   */
  view(tools: ReadonlySet<string>, history: readonly Message[]): View<S>;
  /** Returns the request of an exchange. */
  request(
    url: string | URL,
    exchange: ExchangeToSend<S>,
    options: O,
    how: PostOptions,
  ): ExchangeRequest;
  /** Returns the exchanges without what later snapshots repeat. Called when an exchange is done. */
  settle?(exchanges: readonly Exchange<S>[]): readonly Exchange<S>[];
  /** Returns the exchanges before `at`, with what `settle` has removed. */
  cut?(exchanges: readonly Exchange<S>[], at: number): readonly Exchange<S>[];
  /**
   * Returns the request that stops the agent's work, in protocols where closing the connection does
   * not.
   */
  cancellation?(url: string | URL, snapshot: S, options: O, how: PostOptions): Request | undefined;
  /** Whether answers continue without a connection, so that a lost one is no failure. */
  readonly continues?: boolean;
  /** Returns the request that stops the answer at an address; by default DELETE. */
  ending?(resumeUrl: string, how: PostOptions): Request;
  /**
   * Returns the request whose response repeats an answer from its beginning, in protocols that
   * define one.
   */
  resumption?(
    url: string | URL,
    exchange: Exchange<S>,
    conversationId: string,
    options: O,
    how: PostOptions,
  ): Request | undefined;
}

/** An exchange with an answer. */
export type AnsweredExchange<S> = Exchange<S> & { readonly snapshot: S };

/**
 * Returns the last exchange whose snapshot `fits` accepts; by default, the last one with a
 * snapshot.
 */
export function lastWith<S>(
  exchanges: readonly Exchange<S>[],
  fits: (snapshot: S) => boolean = () => true,
): AnsweredExchange<S> | undefined {
  const at = lastIndex(exchanges, ({ snapshot }) => snapshot !== undefined && fits(snapshot));
  return exchanges[at] as AnsweredExchange<S> | undefined;
}

/** Returns the messages of the user whose requests did not reach the agent, and the one to send. */
export function unsentMessages<S>({
  before,
  user,
}: Pick<ExchangeToSend<S>, "before" | "user">): readonly UserMessage[] {
  const unsent = before.slice(lastIndex(before, ({ snapshot }) => snapshot !== undefined) + 1);
  return [
    ...unsent.flatMap((exchange) => exchange.user ?? []),
    ...(user === undefined ? [] : [user]),
  ];
}

/**
 * Returns the replies to the last answer: they are sent with each request until one of them is
 * answered.
 */
export function repliesToSend<S>(before: readonly Exchange<S>[]): readonly Reply[] {
  return (lastWith(before)?.replies ?? []).filter(({ isDropped }) => isDropped !== true);
}

/**
 * Returns an exchange as requests repeat it: without an answer that a limit has cut, unless the
 * server has it.
 */
export function sendable<S>(
  exchange: Exchange<S>,
  history: Dialect<Protocol, never>["history"],
): Exchange<S> {
  if (exchange.isCut && history !== "server") {
    return { ...exchange, snapshot: undefined, status: "failed" };
  }
  return exchange.isAnswered ? { ...exchange, status: "done" } : exchange;
}
