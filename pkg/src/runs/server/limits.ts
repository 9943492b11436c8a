// The limits of a handler with a store, and of its runs endpoints.

import { knownOptions, milliseconds } from "../../core/arguments.js";
import { must } from "../../core/errors.js";
import type { StoreLimits } from "../../server/service.js";

/** The limits of the runs endpoints. All are optional. */
export interface RunsLimits {
  /**
   * The maximum number of bytes of the body of `POST /runs`: 1 MiB by default, which is the
   * maximum, because the body is stored in one row.
   */
  readonly bodyBytes?: number | undefined;
  /** Milliseconds within which a body must arrive: 30,000 by default. */
  readonly bodyMs?: number | undefined;
  /** The maximum number of bytes of an attachment or a recording: 10 MiB by default. */
  readonly fileBytes?: number | undefined;
  /**
   * The maximum number of attachments and recordings that are received at once, because each is in
   * memory: 4 by default.
   */
  readonly uploads?: number | undefined;
  /**
   * The maximum number of those of one user: 2 by default, and always less than `uploads`, unless
   * that is 1.
   */
  readonly userUploads?: number | undefined;
}

/** The limits of the endpoints with their defaults. */
export type EndpointLimits = { readonly [K in keyof RunsLimits]-?: number };

/** The default limits of the endpoints. */
export const LIMITS: EndpointLimits = {
  bodyBytes: 1024 * 1024,
  bodyMs: 30_000,
  fileBytes: 10 * 1024 * 1024,
  uploads: 4,
  userUploads: 2,
};

/** The limits of what is stored, with their defaults. */
export type Limits = { readonly [K in keyof StoreLimits]-?: number };

const STORE_LIMITS: Limits = {
  userRuns: 20,
  userConnections: 100,
  threadConnections: 2000,
  userTasks: 1000,
  runMs: 600_000,
  keepAliveMs: 15_000,
};

/** Returns the limits of what is stored. */
export function storeLimits(configured: StoreLimits | undefined): Limits {
  const limits = withDefaults(STORE_LIMITS, configured);
  (["runMs", "keepAliveMs"] as const).forEach((name) => milliseconds(name, limits[name]));
  return limits;
}

/** Returns values with defaults for those that are undefined. */
export function withDefaults<T extends object>(
  defaults: T,
  values: { readonly [K in keyof T]?: unknown } = {},
): T {
  const configured = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  );
  knownOptions("limits and retention", configured, Object.keys(defaults));
  for (const [name, value] of Object.entries(configured)) {
    must(
      typeof value === "number" && value > 0,
      "wrong-option",
      `option \`${name}\` is a number above 0`,
    );
  }
  return { ...defaults, ...configured };
}
