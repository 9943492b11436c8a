// Counts with an expiry: their owner renews them; the count of an owner whose process was killed expires.

/** The milliseconds for which a count is valid. */
export const VALID = 9000;
/** The milliseconds after which its owner renews it. */
export const RENEWAL = 3000;

/** Counts by the name of their owner. */
export class Leases {
  readonly #counts = new Map<string, { readonly count: number; readonly until: number }>();

  /** Sets a count; returns the sum of all counts that are valid. */
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
