// The options of stores that several processes use.

import { knownOptions, milliseconds } from "../core/arguments.js";

/** The options of a store that several processes use. */
export interface SharedStoreOptions {
  /**
   * The milliseconds after which another process takes over the threads of a process that does not
   * respond: 10,000 by default.
   */
  readonly leaseMs?: number | undefined;
}

/** Returns the lease of the options. @throws AgentwireError `wrong-option` */
export function leaseOf(user: string, options: SharedStoreOptions): number {
  knownOptions(user, options as Record<string, unknown>, ["leaseMs"]);
  return milliseconds("leaseMs", options.leaseMs ?? 10_000);
}
