// The configuration of the runs service.

import type { DurableObjects, R2Bucket } from "agentwire/runs/server";
import type { Models, RateLimit, Service } from "./platform.js";

/** The bindings and variables of `wrangler.jsonc` that the runs service reads. */
export interface RunsEnv {
  readonly THREADS: DurableObjects;
  readonly USERS: DurableObjects;
  /** The bucket of attachments. Absent, attachments are not available. */
  readonly ATTACHMENTS?: R2Bucket;
  readonly RUNS_LIMIT?: RateLimit;
  /**
   * A speech service with OpenAI's API. Absent, the transcript of a recording states its length.
   */
  readonly ASR?: Service;
  /** The platform's own models (Workers AI), which transcribe if there is no `ASR`. */
  readonly AI?: Models;
  /**
   * The name of the model: by default `whisper-1` of a service, `@cf/openai/whisper-large-v3-turbo`
   * of the platform.
   */
  readonly ASR_MODEL?: string;
  /** The secret for signed addresses of attachments. Absent, attachments are not available. */
  readonly SIGNING_SECRET?: string;
  /**
   * A token for everyone, as user `demo`. Set it only for a server that listens on a loopback
   * address.
   */
  readonly DEMO_TOKEN?: string;
  /** The secret of HS256 tokens. */
  readonly JWT_SECRET?: string;
  /**
   * Other origins whose pages may use the service: separated by commas, or `*`. Absent, only pages
   * of its own origin.
   */
  readonly CORS_ORIGINS?: string;
  /** Milliseconds of silence after which a reader receives a comment: 15,000. */
  readonly KEEP_ALIVE?: string;
  /** Milliseconds within which a request's body must arrive: 30,000. */
  readonly BODY_TIMEOUT?: string;
  /** The maximum number of event connections of a user: 100. */
  readonly USER_CONNECTIONS?: string;
  /** The maximum number of active runs of a user, in all threads: 20. */
  readonly USER_RUNS?: string;
  /** The maximum duration of a run in milliseconds: 600,000. */
  readonly RUN_TIMEOUT?: string;
  /**
   * Days for which the log of a run is kept as it was written: 7. Afterwards pieces of a text are
   * joined.
   */
  readonly LOG_DAYS?: string;
  /**
   * The maximum number of bytes of a thread's log: 50,000,000. The oldest runs are shortened first.
   */
  readonly LOG_BYTES?: string;
  /** Days for which a stored answer of a protocol is kept, for example a Response: 1. */
  readonly ANSWER_DAYS?: string;
  /** Days for which an A2A task is kept after its last change: 7. */
  readonly TASK_DAYS?: string;
  /** The maximum number of A2A tasks of a user: 1,000. */
  readonly TASKS_KEPT?: string;
}

/** Parses a number of the configuration; returns the default if it is absent or not valid. */
export function numberOf(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return text !== undefined && Number.isFinite(number) && number > 0 ? number : otherwise;
}

/** Parses a number of days of the configuration; returns milliseconds. */
export function daysOf(text: string | undefined, otherwise: number): number {
  return numberOf(text, otherwise) * 24 * 3600 * 1000;
}
