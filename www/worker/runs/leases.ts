// Counts that are valid for a short time: their owner renews them, and one whose process was killed does not.

/** For how many milliseconds a count is valid. */
export const VALID = 9000;
/** After how many milliseconds its owner renews it. */
export const RENEWAL = 3000;

/** Counts by the name of their owner. */
export class Leases {
  readonly #counts = new Map<string, { readonly count: number; readonly until: number }>();

  /** Takes a count, from now on; returns the sum of all that are valid. */
  set(owner: string, count: number, now: number): number {
    this.#counts.delete(owner);
    if (count > 0) {
      this.#counts.set(owner, { count, until: now + VALID });
    }
    let sum = 0;
    for (const [name, { count, until }] of this.#counts) {
      if (until < now) {
        this.#counts.delete(name);
      } else {
        sum += count;
      }
    }
    return sum;
  }
}
