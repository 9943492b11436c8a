// The results of reading: updates while a stream arrives, and the outcome at its end. Types only.

import type { Report, Violation } from "./findings.js";
import type { DefaultProtocol, FirstProtocol } from "../generated/contract.js";
import type { Answers } from "../generated/registry/types.js";
import type { AnyProtocol, Protocol } from "./read_options.js";

export type { Answers } from "../generated/registry/types.js";
export type { AnyProtocol, Protocol, ProtocolChoice } from "./read_options.js";

/** An update of the snapshot. With `auto`, `switch` on `protocol`. */
export type Update<P extends AnyProtocol = DefaultProtocol> = P extends Protocol
  ? UpdateOf<P>
  : P extends "auto"
    ? { [Each in Protocol]: UpdateOf<Each> }[Protocol]
    : UpdateOf<FirstProtocol>;

/** The outcome of a stream. With `auto`, `switch` on `protocol`. */
export type Outcome<P extends AnyProtocol = DefaultProtocol> = P extends Protocol
  ? OutcomeOf<P>
  : P extends "auto"
    ? { [Each in Protocol]: OutcomeOf<Each> }[Protocol]
    : OutcomeOf<FirstProtocol>;

/**
 * An update of a snapshot of protocol `P`. It is immutable, and shares its unchanged objects with the update before.
 */
export interface UpdateOf<P extends Protocol> extends AnyUpdate {
  readonly protocol: P;
  /** The snapshot so far. */
  readonly snapshot: Answers[P]["answer"];
  /** All tool calls with their results, in the order of their first appearance. */
  readonly toolCalls: readonly Answers[P]["toolCall"][];
}

interface AnyUpdate {
  /** The changes of the snapshot since the update before, in the order of the first change. */
  readonly changes: readonly Change[];
  /** The new violations of the protocol, as far as `limits.violations` keeps them in full. */
  readonly violations: readonly Violation[];
  /** Whether the snapshot is final: further events cannot change it. */
  readonly isFinal: boolean;
}

/** A path in a snapshot: property names and list positions, from the outside in. Empty for the snapshot itself. */
export type Path = readonly (string | number)[];

/**
 * A change in a snapshot. Values without a change are the same as before. Tool calls are not listed: an unchanged one
 * is the same object as before.
 *
 * - `set`: the value at the path was replaced or removed. For a list: its elements or their order have changed.
 * - `add`: an object was inserted into a list, at the position at the end of the path. Its content is not listed.
 * - `append`: a string or list has grown. The part before `from` (in UTF-16 units, or elements) is unchanged.
 */
export type Change =
  | { readonly kind: "set"; readonly path: Path }
  | { readonly kind: "add"; readonly path: Path }
  | { readonly kind: "append"; readonly path: Path; readonly from: number };

/** The outcome of a stream of protocol `P`. */
export interface OutcomeOf<P extends Protocol> {
  readonly protocol: P;
  /** The final snapshot. */
  readonly snapshot: Answers[P]["answer"];
  /** All tool calls with their results, in the order of their first appearance. */
  readonly toolCalls: readonly Answers[P]["toolCall"][];
  /** The report on the stream: how it ended, its violations, and its unknown events and unfinished messages. */
  readonly report: Report;
}
