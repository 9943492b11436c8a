// The limits of the service.

/** The limits of the service. All are optional. */
export interface RunsLimits {
  /** The maximum number of active runs of a user, in all threads: 20 by default. */
  readonly userRuns?: number | undefined;
  /** The maximum number of event connections of a user: 100 by default. */
  readonly userConnections?: number | undefined;
  /** The maximum number of event connections of a thread: 2,000 by default. */
  readonly threadConnections?: number | undefined;
  /**
   * The maximum number of A2A tasks of a user: 1,000 by default. A new task replaces those that
   * changed first, unless their agent is running.
   */
  readonly userTasks?: number | undefined;
  /** The maximum duration of a run in milliseconds: 600,000 by default. */
  readonly runMs?: number | undefined;
  /** Milliseconds of silence after which a connection receives a comment: 15,000 by default. */
  readonly keepAliveMs?: number | undefined;
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

/** The limits with their defaults. */
export type Limits = { readonly [K in keyof RunsLimits]-?: number };

/** The default limits. */
export const LIMITS: Limits = {
  userRuns: 20,
  userConnections: 100,
  threadConnections: 2000,
  userTasks: 1000,
  runMs: 600_000,
  keepAliveMs: 15_000,
  bodyBytes: 1024 * 1024,
  bodyMs: 30_000,
  fileBytes: 10 * 1024 * 1024,
  uploads: 4,
  userUploads: 2,
};
