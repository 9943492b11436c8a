// The context of a request, for agents and error handlers.

import { uuid } from "../core/random.js";

/**
 * The context of a request: its id, the HTTP request, and the values of the platform.
 *
 * `env` and `ctx` are the further arguments of the platform's handler: in a Cloudflare worker, the
 * bindings and the execution context; on other platforms, the second and third argument.
 */
export interface RequestContext<Env = unknown, Ctx = unknown, Http = unknown> {
  /**
   * The id of the request. The client receives it in the header `x-request-id` and with masked
   * errors.
   */
  readonly id: string;
  /** The HTTP request. Its body was read already. */
  readonly http: Http;
  /** The second argument of the handler: on Cloudflare the bindings. */
  readonly env: Env;
  /** The third argument of the handler: on Cloudflare the execution context. */
  readonly ctx: Ctx;
  /**
   * The user of the request, whom `authenticate` of `createHandler` has returned. Absent without
   * that option.
   */
  readonly user?: string;
}

/** The values of the platform. All are optional. */
export interface Platform<Env = unknown, Ctx = unknown> {
  /** The bindings, which the agent and `onError` receive unchanged. */
  readonly env?: Env | undefined;
  /**
   * The execution context, which the agent and `onError` receive unchanged. If it has a
   * `waitUntil`, it keeps the handler alive until the agent and `onError` are done.
   */
  readonly ctx?: Ctx | undefined;
  /**
   * The id of the request, if it has one already: printable ASCII. A new UUID by default. Do not
   * use an id that the client sends.
   */
  readonly requestId?: string | undefined;
}

/** The response header with the id of the request. */
export const REQUEST_ID = "x-request-id";

/** Returns the context of a request. */
export function contextOf<Env, Ctx, Http>(
  http: Http,
  { env, ctx, requestId, user }: Platform<Env, Ctx> & { readonly user?: string | undefined },
): RequestContext<Env, Ctx, Http> {
  // The caller declares the types of these values.
  return {
    id: requestId ?? uuid(),
    http,
    env: env as Env,
    ctx: ctx as Ctx,
    ...(user !== undefined && { user }),
  };
}

/** Keeps the handler alive for work that continues after the response. */
export function outlive(ctx: unknown, work: Promise<unknown>): void {
  const keeper = ctx as { waitUntil?: (work: Promise<unknown>) => void } | null | undefined;
  if (typeof keeper?.waitUntil === "function") {
    keeper.waitUntil(work);
  }
}

/** The work that a signal stops, of the signals that are observed. */
const WORK = new WeakMap<AbortSignal, Set<Promise<unknown>>>();

/** Records work that a signal stops, if the signal is observed. */
export function addWork(signal: AbortSignal | undefined, work: Promise<unknown>): void {
  const all = signal && WORK.get(signal);
  if (all !== undefined) {
    all.add(work);
    work.catch(() => {}).finally(() => all.delete(work));
  }
}

/**
 * Observes a signal; returns a function that resolves when all work that was recorded for it has
 * ended.
 */
export function observeWork(signal: AbortSignal): () => Promise<void> {
  const all = new Set<Promise<unknown>>();
  WORK.set(signal, all);
  return async () => {
    while (all.size > 0) {
      await Promise.allSettled(all);
    }
  };
}

/** A turn of a conversation that a service stores: a request, and its answer. */
export interface StoredTurn {
  /** Returns the messages for the agent: the earlier ones, and those of the request. */
  begin(input: readonly object[]): object[];
  /** Receives the answer, a response of the Agent API, also one that was cut off. */
  end(answer: object): void;
  /** Whether there are messages before those that `begin` has returned. */
  readonly isCut: boolean;
}

/**
 * A response that a service answers for: it has put the turns before the request into its body, or
 * puts them before its messages, and usually stores the response, independently of the connection
 * of its request.
 */
export interface StoredAnswer {
  /** The id of the response; undefined if the adapter determines it. */
  readonly responseId?: string | undefined;
  /**
   * In A2A, the message and its task, as the service has accepted them: the adapter runs the agent,
   * and the service stores the task.
   */
  readonly accepted?: string | undefined;
  /** The turn, if the earlier messages of the conversation are put before those of the request. */
  readonly turn?: StoredTurn | undefined;
  /** Whether the service has left out messages of the request, because there are too many. */
  readonly isCut?: boolean | undefined;
}

const STORED = new WeakMap<object, StoredAnswer>();

/** Marks a request whose response a service answers for. */
export function markStored(request: object, answer: StoredAnswer): void {
  STORED.set(request, answer);
}

/** Returns the mark of a request. */
export function storedAnswer(request: object): StoredAnswer | undefined {
  return STORED.get(request);
}
