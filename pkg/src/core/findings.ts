// The findings of readers and converters about a stream: violations, losses, and the report.

/**
 * A violation of a rule of the protocol by the sender: a value, which is never thrown. `explain` of
 * `agentwire/rules` describes the rule.
 */
export interface Violation {
  /**
   * The rule's id in kebab-case, which is stable:
   * {@link https://agentwire.github.io/agentwire/reference/rules | all rules}.
   */
  readonly rule: string;
  /**
   * `note`: legal or harmless. `warning`: not legal, and the snapshot is complete. `error`: data
   * was lost or cut off.
   */
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
  /**
   * The parts of the stream that the snapshot does not show, if it was read `as` another protocol.
   */
  readonly losses?: readonly Loss[];
}

/**
 * What a loss means for the answer.
 *
 * - `cosmetic`: nothing that a user would notice, such as an id
 * - `quality`: the answer can be worse, for example without the model's earlier reasoning
 * - `contract`: the answer can be wrong, for example without a tool, or in another format
 */
export type LossClass = "cosmetic" | "quality" | "contract";

/** A value that the target does not contain as it was sent. */
export interface Loss {
  /**
   * The kind of the loss, in kebab-case and stable:
   * {@link https://agentwire.github.io/agentwire/reference/losses | all kinds}.
   */
  readonly kind: string;
  /** What the loss means for the answer. */
  readonly class: LossClass;
  /**
   * The location of the value: the id of a message or call, or the name of an event or property.
   * Empty for the run itself.
   */
  readonly location: string;
  /** The reason, and the effect on the value. */
  readonly reason: string;
  /**
   * The number of the source's event, from 0; the number of events if the loss concerns the end of
   * the stream. 0 in a request.
   */
  readonly event: number;
}

/** Losses, of which only the first ones are kept in full. */
export interface CountedLosses {
  readonly losses: readonly Loss[];
  /** The number of losses of each kind. */
  readonly counts: { readonly [kind: string]: number };
  /** The number of losses of each class. */
  readonly classes: { readonly [Class in LossClass]?: number };
}

/** The number of losses that are kept in full, the same as in the core. */
const MAX_LOSSES = 1000;

/** Keeps the first losses in full, and counts all of them. */
export class Losses {
  readonly list: Loss[] = [];
  readonly counts: Record<string, number> = {};

  note(loss: Loss): void {
    this.counts[loss.kind] = (this.counts[loss.kind] ?? 0) + 1;
    if (this.list.length < MAX_LOSSES) {
      this.list.push(loss);
    }
  }
}
