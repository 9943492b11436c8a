// The functions of a protocol that `connect` uses: how a request continues a conversation.

import type { PostOptions } from "../http/post.js";
import type { Answers, Protocol } from "../core/outcome.js";
import type { Readables } from "../read/patch.js";
import type { CallsOf } from "../read/tool_call_view.js";
import type { StoredShape } from "../store/fits.js";
import type { StoredTurn, ConversationAnswer, TurnRequest } from "../store/state.js";

/** The turn to send, and the turns before it. */
export interface TurnToSend<P extends Protocol, I> extends Pick<TurnRequest<P, I>, "conversationId" | "message" | "answers"> {
  readonly turns: readonly StoredTurn<P, I>[];
}

/** A request, and the options for reading its response. */
export interface PreparedRequest {
  readonly request: Request;
  readonly read?: object;
  /** Returns the response to read, which further requests can be necessary for. By default the response to the request. */
  answered?(response: Response, send: (request: Request) => Promise<Response>): Promise<Response>;
}

/** A protocol for `connect`. `I` is the input of `send`, `O` the options. */
export interface Dialect<P extends Protocol, I, O> {
  readonly protocol: P;
  readonly reads: Readables;
  readonly callsOf: CallsOf;
  /** The names of the options that the protocol adds. */
  readonly options: readonly string[];
  /**
   * The snapshots that a request repeats to the agent: that of the last turn, which contains the earlier ones, or those of
   * all turns. By default the agent keeps the conversation.
   */
  readonly repeats?: "last" | "all";
  /** The shapes of the messages of `send`, and of the parts of a stored snapshot that requests and views use. */
  readonly stored: { readonly message: StoredShape; readonly snapshot: StoredShape };
  /** Returns the request of a turn. */
  request(url: string | URL, turn: TurnToSend<P, I>, options: O, how: PostOptions): PreparedRequest;
  /** Returns the request that stops the agent's work, in protocols where closing the connection does not. */
  cancellation?(url: string | URL, snapshot: Answers[P]["answer"], options: O, how: PostOptions): Request | undefined;
}

/** Returns the last turn whose snapshot `fits` accepts; by default, the last one with a snapshot. */
export function lastWith<T extends { readonly snapshot: unknown }>(
  turns: readonly T[],
  fits: (snapshot: NonNullable<T["snapshot"]>) => boolean = () => true,
): T | undefined {
  return turns.filter(({ snapshot }) => snapshot != null && fits(snapshot as NonNullable<T["snapshot"]>)).at(-1);
}

/** Returns the turns at the end that have no snapshot: their requests did not reach the agent. */
export function unsentTurns<T extends { readonly snapshot: unknown }>(turns: readonly T[]): readonly T[] {
  const last = lastWith(turns);
  return last === undefined ? turns : turns.slice(turns.indexOf(last) + 1);
}

/** Returns the answers of a turn, after those of the turns whose requests did not reach the agent. */
export function allAnswers<P extends Protocol, I>({ turns, answers }: TurnToSend<P, I>): readonly ConversationAnswer[] {
  return [...unsentTurns(turns).flatMap((turn) => turn.answers), ...answers];
}
