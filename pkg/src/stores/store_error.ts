// Errors of databases.

/** An error of a database, which may be temporary. */
export class StoreError extends Error {
  constructor(cause: unknown, what = "the database has failed") {
    super(`${what}: ${String((Object(cause) as { message?: unknown }).message)}`, { cause });
    this.name = "StoreError";
  }
}

/** Resolves with the answer of a database; rejects with a {@link StoreError}. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new StoreError(error);
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
