// What `connect` uses of a protocol: how a request continues a conversation.

import type { PostOptions } from "../post.js";
import type { Answers } from "../outcome.js";
import type { Protocol } from "../read_options.js";
import type { Readables } from "../readable.js";
import type { CallsOf } from "../tool_call_view.js";
import type { StoredTurn, ConversationAnswer, TurnRequest } from "../store/turn.js";

/** The turn to send, and the turns before it. */
export interface Asked<P extends Protocol, I> extends Pick<TurnRequest<P, I>, "conversationId" | "message" | "answers"> {
  readonly turns: readonly StoredTurn<P, I>[];
}

/** A request, and the options that its answer is read with. */
export interface Posted {
  readonly request: Request;
  readonly read?: object;
}

/** A protocol for `connect`. `I` is what `send` takes, `O` the options. */
export interface Dialect<P extends Protocol, I, O> {
  readonly protocol: P;
  readonly reads: Readables;
  readonly callsOf: CallsOf;
  /** Names of the options beside those of every protocol. */
  readonly options: readonly string[];
  /** Whether a request repeats all turns. Otherwise the last answer is enough to continue. */
  readonly repeatsAll: boolean;
  /** Returns the request of a turn. */
  request(url: string | URL, turn: Asked<P, I>, options: O, how: PostOptions): Posted;
  /** Returns the request that stops the agent's work, in a protocol where the end of the connection does not. */
  cancellation?(url: string | URL, snapshot: Answers[P]["answer"], options: O, how: PostOptions): Request | undefined;
}

/** Returns the last turn that has an answer, or has one that fits. */
export function lastWith<T extends { readonly snapshot: unknown }>(
  turns: readonly T[],
  fits: (snapshot: NonNullable<T["snapshot"]>) => boolean = () => true,
): T | undefined {
  return turns.filter(({ snapshot }) => snapshot != null && fits(snapshot as NonNullable<T["snapshot"]>)).at(-1);
}

/** Returns the turns at the end that have no answer: their requests did not reach the agent. */
export function unanswered<T extends { readonly snapshot: unknown }>(turns: readonly T[]): readonly T[] {
  const last = lastWith(turns);
  return last === undefined ? turns : turns.slice(turns.indexOf(last) + 1);
}

/** Returns the answers of a turn, after those of the turns whose requests did not reach the agent. */
export function allAnswers<P extends Protocol, I>({ turns, answers }: Asked<P, I>): readonly ConversationAnswer[] {
  return [...unanswered(turns).flatMap((turn) => turn.answers), ...answers];
}
