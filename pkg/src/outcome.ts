// What reading gives: while a stream arrives, and when it is over. Types only.

import type { Report, Violation } from "./findings.js";
import type { DefaultProtocol, FirstProtocol } from "./generated.js";
import type { Answers } from "./protocol_types.js";
import type { AnyProtocol, Protocol } from "./read_options.js";

export type { Answers } from "./protocol_types.js";
export type { AnyProtocol, Protocol, ProtocolChoice } from "./read_options.js";

/** What has changed in an answer. With `auto`, `protocol` tells which it is: `switch` on it. */
export type Update<P extends AnyProtocol = DefaultProtocol> = P extends Protocol
  ? UpdateOf<P>
  : P extends "auto"
    ? { [Each in Protocol]: UpdateOf<Each> }[Protocol]
    : UpdateOf<FirstProtocol>;

/** What reading a stream came to. With `auto`, `protocol` tells which it is: `switch` on it. */
export type Outcome<P extends AnyProtocol = DefaultProtocol> = P extends Protocol
  ? OutcomeOf<P>
  : P extends "auto"
    ? { [Each in Protocol]: OutcomeOf<Each> }[Protocol]
    : OutcomeOf<FirstProtocol>;

/**
 * What has changed in an answer of protocol `P`: plain data of that moment, which never changes after it was given out. What
 * did not change since the update before is the same object as there.
 */
export interface UpdateOf<P extends Protocol> extends AnyUpdate {
  readonly protocol: P;
  /** The answer as far as it has come. */
  readonly snapshot: Answers[P]["answer"];
  /** Every tool call with what answers it, in the order of their first appearance. */
  readonly toolCalls: readonly Answers[P]["toolCall"][];
}

interface AnyUpdate {
  /** What has changed in the snapshot, in the order of the first change. Applies to the snapshot of the update before. */
  readonly changes: readonly Change[];
  /** The breaches of the protocol that showed, as far as `limits.violations` keeps them in full. */
  readonly violations: readonly Violation[];
  /** Nothing that comes can change the answer any more. */
  readonly isFinal: boolean;
}

/** Where in a snapshot: names of members and positions in lists, from the outside in. Empty for the snapshot itself. */
export type Path = readonly (string | number)[];

/**
 * One thing that has changed in a snapshot. What is not named is as it was. Tool calls are not listed: one that did not
 * change keeps its identity.
 *
 * - `set`: the value at the path is another one, or there is none any more. For a list: others are in it than were, or in
 *   another order.
 * - `add`: an object was put into a list, at the position that the path ends with. What is in it is not listed.
 * - `append`: a text or list got longer. Everything before `from` (in UTF-16 units, or elements) is as it was.
 */
export type Change =
  | { readonly kind: "set"; readonly path: Path }
  | { readonly kind: "add"; readonly path: Path }
  | { readonly kind: "append"; readonly path: Path; readonly from: number };

/** What reading a stream of protocol `P` came to. */
export interface OutcomeOf<P extends Protocol> {
  readonly protocol: P;
  /** The answer. */
  readonly snapshot: Answers[P]["answer"];
  /** Every tool call with what answers it, in the order of their first appearance. */
  readonly toolCalls: readonly Answers[P]["toolCall"][];
  /** How the stream ended, and what was wrong, unknown or unfinished. */
  readonly report: Report;
}
