// Parts of the stores that several processes use.

import { knownOptions, milliseconds } from "../../core/arguments.js";
import { unref } from "../../core/timers.js";

/** The options of a store that several processes use. */
export interface SharedStoreOptions {
  /**
   * The milliseconds after which another process takes over the threads of a process that does not
   * respond: 10,000 by default.
   */
  readonly leaseMs?: number | undefined;
}

const LEASE = 10_000;

/**
 * The lease of a process, which must be renewed: the threads of a process without a lease are free.
 */
export class Lease {
  readonly ms: number;
  readonly #renew: (ms: number) => Promise<unknown>;
  #latest: { readonly at: number; readonly renewed: Promise<unknown> } | undefined;
  #renewing: ReturnType<typeof setInterval> | undefined;

  /** @throws AgentwireError `wrong-option` */
  constructor(user: string, options: SharedStoreOptions, renew: (ms: number) => Promise<unknown>) {
    knownOptions(user, options as Record<string, unknown>, ["leaseMs"]);
    this.ms = milliseconds("leaseMs", options.leaseMs ?? LEASE);
    this.#renew = renew;
  }

  /** Resolves when this process has a lease; from then on it is renewed. */
  async taken(): Promise<void> {
    if (this.#renewing === undefined) {
      this.#renewing = setInterval(() => void this.#again().catch(() => {}), this.ms / 3);
      unref(this.#renewing);
    }
    await (this.#latest !== undefined && Date.now() - this.#latest.at < this.ms / 2
      ? this.#latest.renewed
      : this.#again());
  }

  #again(): Promise<unknown> {
    const latest = { at: Date.now(), renewed: this.#renew(this.ms) };
    this.#latest = latest;
    latest.renewed.catch(() => {
      if (this.#latest === latest) {
        this.#latest = undefined;
      }
    });
    return latest.renewed;
  }

  close(): void {
    clearInterval(this.#renewing);
  }
}

/**
 * Returns a text as databases store it, without NUL and unpaired surrogates, which are escaped as
 * in JSON.
 */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the text that was {@link escaped}. */
export function unescaped(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}

/** Resolves with the answer of a database; rejects with a {@link StoreError}. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new StoreError(error);
  }
}

/** An error of a database, which may be temporary. */
export class StoreError extends Error {
  constructor(cause: unknown, what = "the database has failed") {
    super(`${what}: ${String((Object(cause) as { message?: unknown }).message)}`, { cause });
    this.name = "StoreError";
  }
}

/** Returns the error of a write by a process that does not work on the thread. */
export function notHeld(threadId: string): Error {
  return new Error(`another process works on the thread ${threadId}, or the thread was deleted`);
}

/** A promise that is created when it is first needed, and again after a failure. */
export class Opened<T> {
  readonly #open: () => Promise<T>;
  /** The promise; undefined before it is needed, and after a failure. */
  present: Promise<T> | undefined;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  get(): Promise<T> {
    return (this.present ??= this.#open().catch((error: unknown) => {
      this.present = undefined;
      throw error;
    }));
  }
}
