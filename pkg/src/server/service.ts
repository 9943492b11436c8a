// What a store adds to a handler. Its code comes with the store, so that a handler without a store
// does not contain it.

import type { Awaitable } from "../core/platform.js";
import type { OnError } from "../emit/agent_error.js";
import type { OnLosses } from "../emit/emit.js";
import type { BodyOptions } from "../http/request_body.js";
import type { Adapter, AgentFunction } from "./adapter.js";
import type { CorsOptions } from "./cors.js";

/** The member of a store that creates its service. */
export const SERVICE: unique symbol = /* @__PURE__ */ Symbol.for("agentwire.service") as never;

/**
 * A store for {@link HandlerOptions.store}: that of `memoryStore()`, `sqliteStore(path)`,
 * `postgresStore(url)` or `redisStore(url)` of `agentwire/stores`, or your own in
 * `handlerStore(store)`.
 */
export interface HandlerStore {
  /** @internal */
  [SERVICE]<Env, Ctx>(host: ServiceHost<Env, Ctx>): HandlerService;
}

/** The service of a handler with a store. */
export interface HandlerService {
  /** The adapters of the handler, whose answers are stored, and those that the service adds. */
  readonly adapters: readonly Adapter[];
  /** What pages of other origins need to use the service. */
  readonly cors: Pick<CorsOptions, "methods" | "exposeHeaders">;
  close(waitMs: number): Promise<void>;
}

/** What can happen with a message to a conversation in which an answer is being written. */
export type WhileRunning = "refuse" | "enqueue" | "interrupt";

/** What `admit` can refuse. */
export type StoredAction = "run" | "answer" | "upload" | "transcription";

/** The limits of what is stored. All are optional. */
export interface StoreLimits {
  /** The maximum number of active answers of a user: 20 by default. */
  readonly userRuns?: number | undefined;
  /** The maximum number of connections of a user that follow answers: 100 by default. */
  readonly userConnections?: number | undefined;
  /** The maximum number of connections that follow one answer or thread: 2,000 by default. */
  readonly threadConnections?: number | undefined;
  /**
   * The maximum number of A2A tasks of a user: 1,000 by default. A new task replaces those that
   * changed first, unless their agent is running.
   */
  readonly userTasks?: number | undefined;
  /** The maximum duration of an answer in milliseconds: 600,000 by default. */
  readonly runMs?: number | undefined;
  /** Milliseconds of silence after which a connection receives a comment: 15,000 by default. */
  readonly keepAliveMs?: number | undefined;
}

/** How long stored data is kept. All are optional. */
export interface StoreRetention {
  /**
   * The milliseconds for which the log of a run is kept as it was written: 7 days by default.
   * Afterwards pieces of a text are joined.
   */
  readonly logMs?: number | undefined;
  /**
   * The maximum number of bytes of all logs of a thread: 50,000,000 by default. The oldest runs are
   * shortened first, then deleted.
   */
  readonly logBytes?: number | undefined;
  /** The milliseconds for which an answer of a protocol is kept after its end: 1 day by default. */
  readonly answerMs?: number | undefined;
  /**
   * The milliseconds for which an A2A task, and a conversation without a user, is kept after its
   * last change: 7 days by default.
   */
  readonly taskMs?: number | undefined;
}

/** The options of a handler that concern its store. */
export interface StoreOptions<Env> {
  /**
   * What happens with a message to a conversation in which an answer is being written: by default
   * it is refused with status 409. `enqueue` lets it wait for the end of the answer, and
   * `interrupt` stops the answer before.
   */
  readonly whileRunning?: WhileRunning | undefined;
  /**
   * Returns false to refuse a request with 429: a rate limit. The user is empty without
   * `authenticate`.
   */
  readonly admit?:
    | ((user: string, action: StoredAction, env: Env, request: Request) => Awaitable<boolean>)
    | undefined;
  readonly limits?: StoreLimits | undefined;
  readonly retention?: StoreRetention | undefined;
  /** The path of stored answers: `/answers` by default. */
  readonly answersPath?: string | undefined;
}

/** The handler, as its service sees it. */
export interface ServiceHost<Env = any, Ctx = any> extends StoreOptions<Env>, BodyOptions {
  readonly agent: AgentFunction<Env, Ctx>;
  readonly adapters: readonly Adapter[];
  readonly authenticate:
    | ((request: Request, env: Env) => Awaitable<string | undefined>)
    | undefined;
  /** The environment of answers that no request of the platform has started. */
  readonly env: Env;
  readonly origin: CorsOptions["origin"];
  readonly onError: OnError<Env, Ctx> | undefined;
  readonly onLosses: OnLosses<Env, Ctx> | undefined;
  readonly strict: boolean;
}
