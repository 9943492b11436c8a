// Errors of databases.

import type { Awaitable, LogStore } from "./log_store.js";

/** An error of a database, which may be temporary. */
export class StoreError extends Error {
  constructor(cause: unknown, what = "the database has failed") {
    super(`${what}: ${String((Object(cause) as { message?: unknown }).message)}`, { cause });
    this.name = "StoreError";
  }
}

/** Returns a store whose methods fail with a {@link StoreError}, whatever the store throws. */
export function withStoreErrors(store: LogStore): LogStore {
  // A store may throw at once, and its answers may be any thenables.
  const answer = <T>(call: () => Awaitable<T>): Promise<T> =>
    answered(Promise.resolve().then(call));
  const { leaseMs } = store;
  return {
    append: (...values) => answer(() => store.append(...values)),
    read: (...values) => answer(() => store.read(...values)),
    list: (...values) => answer(() => store.list(...values)),
    delete: (...values) => answer(() => store.delete(...values)),
    ...(store.watch !== undefined && {
      watch: (...values) => answer(() => store.watch!(...values)),
    }),
    ...(leaseMs !== undefined && { leaseMs }),
  };
}

/** Resolves with the answer of a database; rejects with a {@link StoreError}. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError(error);
  }
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
