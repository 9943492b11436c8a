// Answering a request with a stream.

import { knownOptions } from "../option_names.js";
import { Converter } from "../convert/converter.js";
import type { CustomProtocol } from "../convert/protocol.js";
import { AgentwireError } from "../errors.js";
import { PROTOCOLS } from "../generated.js";
import { milliseconds } from "../milliseconds.js";
import type { Protocol } from "../outcome.js";
import { type Platform, REQUEST_ID, type RequestContext, contextOf, outlive } from "../server/context.js";
import { uuid } from "../uuid.js";
import { Emission } from "./emission.js";
import { sseHeaders } from "./headers.js";
import { BUILDER_OPTIONS, type BuilderOptions } from "./options.js";
import type { AgentWriter } from "./out.js";
import { AgentApiStreamBuilder } from "./response_builder.js";
import { type OnError, told } from "./told.js";
import type { HeadersLike } from "../platform.js";

/** How a run is written. Everything is optional. */
export interface RespondOptions<Env = unknown, Ctx = unknown> extends BuilderOptions, Platform<Env, Ctx> {
  /** The conversation; stands in every response event. A new UUID if it is left out or empty, as AgentScope's runner has it. */
  readonly sessionId?: string | null | undefined;
  /**
   * What is written; the first of the protocols by default. The agent writes the same way whatever it is; what another protocol has no
   * place for is left out.
   */
  readonly protocol?: Protocol | CustomProtocol | undefined;
  /** Milliseconds of silence before a comment says that the connection is alive: 15,000 by default, 0 for never. */
  readonly heartbeatMs?: number | undefined;
  /** Headers besides those of {@link sseHeaders}, or in their place. */
  readonly headers?: HeadersLike | undefined;
  /**
   * Hears what the agent throws, unless the client had left before: the whole error, and the context of the request, whose
   * `id` the client is told. By default it goes to `console.error`.
   *
   * A client is told nothing else of an error than that id, with code `AGENT_UNKNOWN_ERROR`, unless it is an `AgentError`,
   * whose code and message are told. What `onError` returns is told in place of both; it may be a promise, which is waited
   * for, for 5 seconds. What `onError` throws goes to `console.error`.
   */
  readonly onError?: OnError<Env, Ctx> | undefined;
}

/**
 * Runs an agent and streams what it writes.
 *
 * ```js
 * return respond(request, { sessionId }, async (out) => {
 *   const text = out.message().text();
 *   for await (const token of model(out.signal)) await text.delta(token);
 * });
 * ```
 *
 * The stream is legal whatever the agent does: what is open is completed when it returns, and if it throws, the run
 * ends as failed; so it does when something was wrong with a write that nobody awaited. When the request is aborted, when
 * the client cancels the stream, or when it cannot be written to any more, `out.signal` aborts; the run ends as canceled
 * if that can still be told. (Cloudflare's runtime tells a worker that its client has gone only with the compatibility
 * flag `enable_request_signal`.)
 *
 * Throws an `AgentwireError` before the agent begins: `wrong-option` (also for headers that cannot be sent),
 * `unknown-protocol` or `protocol-not-converted`, and `wrong-argument` where the agent is no function or the request's
 * `signal` no `AbortSignal`.
 *
 * @param request what is answered; only its `signal` is used, and the agent and `onError` are given it
 * @param agent is given where to write, and the context of the request: its `id`, the request, `env` and `ctx`
 */
export function respond<Http extends Abortable, Env = unknown, Ctx = unknown>(
  request: Http,
  options: RespondOptions<Env, Ctx>,
  agent: (out: AgentWriter, context: RequestContext<Env, Ctx, Http>) => unknown,
): Response {
  const signal = signalOf(request);
  if (typeof agent !== "function") {
    throw new AgentwireError("wrong-argument", "respond() takes a function that is given `out`");
  }
  knownOptions("respond()", options, RESPOND_OPTIONS);
  const { protocol = WRITTEN, onError } = options;
  if (onError !== undefined && typeof onError !== "function") {
    throw new AgentwireError("wrong-option", "option `onError` is a function");
  }
  const heartbeat = milliseconds("heartbeatMs", options.heartbeatMs ?? 15_000);
  const context = contextOf(request, options);
  const headers = headersOf(protocol, context.id, options.headers);
  const response = new AgentApiStreamBuilder({ ...options, sessionId: options.sessionId || newSession(options) });
  let converter: Converter | undefined;
  try {
    // The `requestId` here is that of the HTTP request; a converter of A2A would answer a call of that id.
    const { protocol: to, heartbeatMs: _, headers: __, onError: ___, env, ctx, requestId, ...written } = options;
    converter = to === undefined || to === WRITTEN ? undefined : new Converter({ ...written, from: WRITTEN, to });
  } catch (error) {
    response.free();
    throw error;
  }
  const emission = new Emission(response, heartbeat, converter);
  outlive(options.ctx, run(emission, agent, signal, context, onError));
  return new Response(emission.stream, { headers });
}

const RESPOND_OPTIONS: readonly string[] = [...BUILDER_OPTIONS, "protocol", "heartbeatMs", "headers", "onError", "env", "ctx", "requestId"];

/** What an agent writes; a converter makes the others of it. */
const WRITTEN = PROTOCOLS[0];

/** What can be aborted: a `Request`. */
export interface Abortable {
  readonly signal?: AbortSignal | null | undefined;
}

async function run<Context extends RequestContext>(
  emission: Emission,
  agent: (out: AgentWriter, context: Context) => unknown,
  signal: AbortSignal | undefined,
  context: Context,
  onError: OnError | undefined,
): Promise<void> {
  const stop = () => emission.stop(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    emission.open();
    if (signal?.aborted) {
      return stop();
    }
    await agent(emission, context);
    emission.throwUnheard();
    emission.finish("completed");
    emission.throwUnheard();
  } catch (error) {
    if (!emission.signal.aborted) {
      await fail(emission, error, onError, context);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    emission.free();
  }
}

async function fail(emission: Emission, error: unknown, onError: OnError | undefined, context: RequestContext): Promise<void> {
  emission.seal();
  const info = await told(error, onError, "an internal error happened", context);
  try {
    emission.finish("failed", info);
  } catch (second) {
    // The end cannot be written: a stream without one is what every reader takes for cut off.
    emission.close();
    await told(second, onError, "the stream could not be ended", context);
  }
}

function signalOf(request: Abortable): AbortSignal | undefined {
  const signal: unknown = request?.signal ?? undefined;
  const usable = signal === undefined || (typeof signal === "object" && "aborted" in signal! && "addEventListener" in signal);
  if (typeof request !== "object" || request === null || !usable) {
    throw new AgentwireError("wrong-argument", "respond() takes a request, or an object with its `signal`");
  }
  return signal as AbortSignal | undefined;
}

function headersOf(protocol: Protocol | CustomProtocol, requestId: string, more: HeadersLike | undefined): Headers {
  try {
    const headers = new Headers({ ...sseHeaders(), [REQUEST_ID]: requestId });
    if (typeof protocol === "object") {
      headers.set("content-type", protocol.contentType);
    }
    const given = new Headers(more);
    given.forEach((_, name) => headers.delete(name));
    // Cookies are several headers of one name.
    given.forEach((value, name) => headers.append(name, value));
    return headers;
  } catch (cause) {
    throw new AgentwireError("wrong-option", "option `headers`, `requestId`, or the protocol's `contentType`, cannot be sent", { cause });
  }
}

/** Ids that are the same every time include this one. */
function newSession({ ids }: BuilderOptions): string {
  return ids === "numbered" ? "session_1" : uuid();
}
