// What the functions of protocols of one's own note as lost.

import type { Loss } from "./converter.js";

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
