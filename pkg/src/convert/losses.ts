// What the functions of protocols of one's own note as lost.

/** Something that did not arrive as it was sent. */
export interface Loss {
  /** Stable kebab-case name of what is missing; `docs/reference/losses.md` lists them. */
  readonly what: string;
  /** Where it stood: the id of a message or call, the name of an event or member. Empty for the run itself. */
  readonly location: string;
  /** Why it could not be carried, and what became of it. */
  readonly why: string;
  /** The number of the source's event that said it, from 0; how many there were when it is about the end of the stream. */
  readonly event: number;
}

/** A loss as the core writes it. */
export interface CoreLoss extends Omit<Loss, "location"> {
  readonly where: string;
}

/** Returns a loss that the core has written. */
export function lossOf({ what, where, why, event }: CoreLoss): Loss {
  return { what, location: where, why, event };
}

/** How many losses are kept in full; as many as the core keeps. */
const KEPT = 1000;

/** The first losses in full, all of them counted. */
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
