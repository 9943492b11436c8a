// What an agent and an error handler know of the request besides what it asks.

import { uuid } from "../uuid.js";

/**
 * How a request came.
 *
 * `env` and `ctx` are what the platform gives a handler besides the request: bindings and the execution context of a
 * Cloudflare worker. Of other platforms they are the handler's second and third argument, whatever those are.
 */
export interface RequestContext<Env = unknown, Ctx = unknown, Http = unknown> {
  /** The request's id: the client is told it in the header `x-request-id` and with an error that is masked. */
  readonly id: string;
  /** The request. */
  readonly http: Http;
  readonly env: Env;
  readonly ctx: Ctx;
}

/** What a platform gives besides the request. Everything is optional. */
export interface Platform<Env = unknown, Ctx = unknown> {
  /** Handed to the agent and to `onError` as it is. */
  readonly env?: Env | undefined;
  /** The same; where it has a `waitUntil`, the platform is asked to let the agent and `onError` come to their end. */
  readonly ctx?: Ctx | undefined;
  /** The request's id where it has one already: printable ASCII. By default a new UUID. What a client sends is no id to trust. */
  readonly requestId?: string | undefined;
}

/** The header of an answer that says the request's id. */
export const REQUEST_ID = "x-request-id";

/** The context of a request. */
export function contextOf<Env, Ctx, Http>(http: Http, { env, ctx, requestId }: Platform<Env, Ctx>): RequestContext<Env, Ctx, Http> {
  // Whoever says what the platform's types are says it of what comes.
  return { id: requestId ?? uuid(), http, env: env as Env, ctx: ctx as Ctx };
}

/** Keeps the handler alive for what goes on after the answer. */
export function outlive(ctx: unknown, work: Promise<unknown>): void {
  const keeper = ctx as { waitUntil?: (work: Promise<unknown>) => void } | null | undefined;
  if (typeof keeper?.waitUntil === "function") {
    keeper.waitUntil(work);
  }
}
