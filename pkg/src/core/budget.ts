// A limit that all users of a server share.

/** The part of a limit that one user can have, as a divisor. */
const SHARE = 4;

/** Counts what is in use, of all users together and of each. */
export class Budget {
  readonly #most: number;
  readonly #users = new Map<string, number>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes an amount for a user; returns the function that gives it back, or undefined if there is
   * not so much left. A user has at most a quarter of the limit, so that none takes it from all
   * others; requests without a user (the empty name) share the whole limit. An amount above the
   * limit is taken if nothing else is in use.
   */
  take(user: string, amount: number): (() => void) | undefined {
    const own = this.#users.get(user) ?? 0;
    const isBelow = (used: number, most: number): boolean => used === 0 || used + amount <= most;
    if (
      !isBelow(this.#total, this.#most) ||
      !isBelow(own, user === "" ? this.#most : this.#most / SHARE)
    ) {
      return undefined;
    }
    this.#add(user, amount);
    let isTaken = true;
    return () => {
      if (isTaken) {
        isTaken = false;
        this.#add(user, -amount);
      }
    };
  }

  #add(user: string, amount: number): void {
    this.#total += amount;
    const own = (this.#users.get(user) ?? 0) + amount;
    if (own > 0) {
      this.#users.set(user, own);
    } else {
      this.#users.delete(user);
    }
  }
}
