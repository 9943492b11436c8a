// The findings of a reader about a stream. Types only.

import type { Loss } from "./convert/losses.js";

/** A violation of a rule of the protocol by the sender: a value, which is never thrown. `explain` of `agentwire/rules` describes the rule. */
export interface Violation {
  /** The rule's id in kebab-case, which is stable. `docs/reference/rules.md` describes each rule. */
  readonly rule: string;
  /** `note`: legal or harmless. `warning`: not legal, and the snapshot is complete. `error`: data was lost or cut off. */
  readonly severity: "note" | "warning" | "error";
  /** The number of the event, from 0. */
  readonly event: number;
  /** The byte offset of the event in the stream. */
  readonly offset: number;
  /** The id of the message concerned; null if the violation concerns no message. */
  readonly messageId: string | null;
  /** The index of the content concerned; null if the violation concerns no content. */
  readonly index: number | null;
  /** A description of the actual value, for people. */
  readonly actual: string;
}

/**
 * The way in which a stream ended.
 *
 * - `completed`: with the terminal event of the protocol
 * - `error`: with an error that the server sent in place of the terminal event
 * - `truncated`: without a terminal event
 * - `aborted`: by the reader
 * - `refused`: by a reader in `strict` mode, at the first violation of severity error
 */
export type EndReason = "completed" | "error" | "truncated" | "aborted" | "refused";

/** The figures and findings of a stream. */
export interface Report {
  /** The way in which the stream ended; null while it has not. */
  readonly endReason: EndReason | null;
  /** The number of events with data, unreadable ones included. */
  readonly events: number;
  /** The number of comments, which servers send as heartbeats. */
  readonly comments: number;
  /** The number of bytes. */
  readonly bytes: number;
  /** The first violations, up to `limits.violations`; `counts` is complete. */
  readonly violations: readonly Violation[];
  /** The number of violations of each rule. */
  readonly counts: { readonly [rule: string]: number };
  /** The number of events of each name that the protocol does not have. */
  readonly unknown: { readonly [name: string]: number };
  /** The ids of messages without an end. */
  readonly unfinished: readonly string[];
  /** The last event id, for reconnecting. */
  readonly lastEventId: string | null;
  /** The reconnection time that the server asked for, in milliseconds. */
  readonly retryMs: number | null;
  /** The parts of the stream that the snapshot does not show, if it was read `as` another protocol. */
  readonly losses?: readonly Loss[];
}
