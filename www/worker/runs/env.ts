// What the runs service is configured by.

import type { Answer } from "./answer.js";
import type { Bucket, Models, Objects, RateLimit, Service } from "./platform.js";
import type { Thread } from "./thread.js";
import type { Tasks } from "./tasks.js";
import type { User } from "./user.js";

/** The bindings and variables of `wrangler.jsonc` that the runs service reads. */
export interface RunsEnv {
  readonly THREADS: Objects<Pick<Thread, "create" | "cancel" | "history" | "mayWrite">>;
  readonly USERS: Objects<Pick<User, "latest" | "said" | "count">>;
  readonly ANSWERS: Objects<Pick<Answer, "ask" | "stop" | "response" | "turns" | "inputItems" | "cancel" | "forget">>;
  /** Where tasks of A2A are. Without it they are in memory, each known to the instance that it began in. */
  readonly TASKS?: Objects<Pick<Tasks, never>>;
  readonly ATTACHMENTS: Bucket;
  readonly RUNS_LIMIT?: RateLimit;
  /** A speech service of OpenAI's kind. Absent, recordings are answered by how long they are. */
  readonly ASR?: Service;
  /** The platform's own models (Workers AI): they transcribe where there is no `ASR`. */
  readonly AI?: Models;
  /** The model that is asked for: `whisper-1` of a service, `@cf/openai/whisper-large-v3-turbo` of the platform. */
  readonly ASR_MODEL?: string;
  /** The secret that addresses of attachments are signed with. Without it there are none. */
  readonly SIGNING_SECRET?: string;
  /** A token that anybody may use, as user `demo`. Set it only for a server that listens on a loopback address. */
  readonly DEMO_TOKEN?: string;
  /** The secret that HS256 tokens are signed with. */
  readonly JWT_SECRET?: string;
  /** Pages of other origins that may use the service: origins separated by commas, or `*`. Absent is none. */
  readonly CORS_ORIGINS?: string;
  /** Milliseconds of silence after which a reader gets a comment: 15,000. */
  readonly KEEP_ALIVE?: string;
  /** How many milliseconds a request's body may take to arrive: 30,000. */
  readonly BODY_TIMEOUT?: string;
  /** How many event connections a user may have: 100. */
  readonly USER_CONNECTIONS?: string;
  /** How many runs a user may have under way, in all threads: 20. */
  readonly USER_RUNS?: string;
  /** How many milliseconds a run may take: 600,000. */
  readonly RUN_TIMEOUT?: string;
  /** For how many days the log of a run is kept as it was written: 7. Afterwards pieces of a text are joined. */
  readonly LOG_DAYS?: string;
  /** How many bytes the log of a thread may have: 50,000,000. What is over is taken from the oldest runs. */
  readonly LOG_BYTES?: string;
  /** For how many days an answer that is not a run's is kept, a Response among them: 1. */
  readonly ANSWER_DAYS?: string;
  /** For how many days a task of A2A is kept after it has changed last: 7. */
  readonly TASK_DAYS?: string;
  /** How many tasks of A2A are kept for each user: 1,000. */
  readonly TASKS_KEPT?: string;
}

/** A number of the configuration, or its default. */
export function numberOf(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return text !== undefined && Number.isFinite(number) && number > 0 ? number : otherwise;
}

/** How long a request's body may take to arrive. */
export function timeoutOf({ BODY_TIMEOUT }: RunsEnv): number {
  return numberOf(BODY_TIMEOUT, 30_000);
}

/** A number of days of the configuration, in milliseconds. */
export function daysOf(text: string | undefined, otherwise: number): number {
  return numberOf(text, otherwise) * 24 * 3600 * 1000;
}
