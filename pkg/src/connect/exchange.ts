// The state of a chat: a list of exchanges. The messages are derived from it.

import type { Json } from "../agentwire.js";
import type { JsonRecord } from "./chat.js";
import type { ChatError, MessageStatus, UserPart } from "./message.js";

/** A message of the user. */
export interface UserMessage {
  readonly id: string;
  readonly parts: readonly UserPart[];
  readonly metadata?: JsonRecord | undefined;
  /** The id that the server has given to the message, if it differs. */
  readonly serverId?: string | undefined;
}

/** An answer of the client to a call or a question. */
export interface Reply {
  /** The id of the call or question. */
  readonly id: string;
  /** The name of the tool, or the reason of the question; null without a name. */
  readonly name: string | null;
  readonly kind: "call" | "approval";
  /** The result of the call, or the further content of the decision. */
  readonly value: Json;
  /** The decision; undefined for a call. */
  readonly approved?: boolean | undefined;
  /** Whether the tool has thrown. */
  readonly isError?: true;
  /** Whether the user has sent a message instead of an answer. */
  readonly isDropped?: true;
}

/**
 * The status of an exchange. `calling`: the answer is complete, and the client executes its calls.
 */
export type ExchangeStatus = MessageStatus | "calling";

/**
 * One request and its answer: immutable plain data, which is also what a chat stores. `S` is the
 * snapshot of the protocol.
 */
export interface Exchange<S> {
  /** The id, which is that of the answer as a message. */
  readonly id: string;
  /**
   * The message of the user; undefined if the request only has the replies of the exchange before.
   */
  readonly user?: UserMessage | undefined;
  readonly status: ExchangeStatus;
  readonly snapshot?: S | undefined;
  readonly error?: ChatError | undefined;
  /**
   * The answers of the client to the calls and questions in `snapshot`. They are shown immediately,
   * and sent when none is missing.
   */
  readonly replies: readonly Reply[];
  /** Whether a limit of the reader has cut the snapshot, so that no request repeats it. */
  readonly isCut?: true | undefined;
  /** Whether the answer was complete, and the execution of its calls was interrupted. */
  readonly isAnswered?: true | undefined;
  /** The address from which the answer can be read again. */
  readonly resumeUrl?: string | undefined;
  /**
   * The id of the request, until it has a response: a server that knows the id starts no second
   * run.
   */
  readonly requestId?: string | undefined;
}

/** Returns whether a run has ended. */
export function isOver(status: ExchangeStatus): boolean {
  return status === "done" || status === "stopped" || status === "failed";
}

/** Returns the exchanges of a message of the user and of its tool rounds, from `at` on. */
export function groupAt<E extends Pick<Exchange<unknown>, "user">>(
  exchanges: readonly E[],
  at: number,
): readonly E[] {
  let end = at + 1;
  while (end < exchanges.length && exchanges[end]!.user === undefined) {
    end++;
  }
  return exchanges.slice(at, end);
}

/** Returns the index of the last element for which `holds` returns true; -1 without one. */
export function lastIndex<T>(list: readonly T[], holds: (each: T) => boolean): number {
  let at = list.length - 1;
  while (at >= 0 && !holds(list[at]!)) {
    at--;
  }
  return at;
}
