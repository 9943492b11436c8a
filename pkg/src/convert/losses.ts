// The losses that functions of custom protocols record.

/** A value that the target does not contain as it was sent. */
export interface Loss {
  /** The kind of the loss, in kebab-case and stable; `docs/reference/losses.md` lists them. */
  readonly what: string;
  /**
   * The location of the value: the id of a message or call, or the name of an event or property. Empty for the run
   * itself.
   */
  readonly location: string;
  /** The reason, and the effect on the value. */
  readonly why: string;
  /** The number of the source's event, from 0; the number of events if the loss concerns the end of the stream. */
  readonly event: number;
}

/** A loss in the JSON of the core. */
export interface CoreLoss extends Omit<Loss, "location"> {
  readonly where: string;
}

/** Returns the loss for a loss of the core. */
export function lossOf({ what, where, why, event }: CoreLoss): Loss {
  return { what, location: where, why, event };
}

/** The number of losses that are kept in full, the same as in the core. */
const KEPT = 1000;

/** Keeps the first losses in full, and counts all of them. */
export class Losses {
  readonly list: Loss[] = [];
  readonly counts: Record<string, number> = {};

  note(loss: Loss): void {
    this.counts[loss.what] = (this.counts[loss.what] ?? 0) + 1;
    if (this.list.length < KEPT) {
      this.list.push(loss);
    }
  }
}
