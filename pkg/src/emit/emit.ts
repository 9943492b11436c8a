// Responding to a request with a stream.

import { knownOptions, milliseconds } from "../core/arguments.js";
import { Converter } from "../convert/converter.js";
import type { CustomProtocol } from "../convert/protocol.js";
import { logError, mustBeHandler } from "../core/error_handler.js";
import type { Loss } from "../core/findings.js";
import { AgentwireError, HttpError, isA, must } from "../core/errors.js";
import { WRITABLE, type WritableProtocol } from "../generated/contract.js";
import {
  type Platform,
  REQUEST_ID,
  type RequestContext,
  addWork,
  contextOf,
  outlive,
} from "../http/context.js";
import { uuid } from "../core/random.js";
import { type Beginning, refusedBy, upstreamRefusal } from "./beginning.js";
import { Emission, registerRun } from "./emission.js";
import { sseHeaders } from "../http/headers.js";
import { BUILDER_OPTIONS, type BuilderOptions } from "../convert/builder_options.js";
import type { AgentWriter } from "./out.js";
import { RunLosses } from "./run_losses.js";
import { AgentApiStreamBuilder } from "./agent_api_builder.js";
import { type OnError, errorInfoFor, reportErrorsOf } from "./agent_error.js";
import { writeReturned } from "./returned.js";
import type { HeadersLike } from "../core/platform.js";

/** The options of `respond`. All but `protocol` are optional. */
export interface RespondOptions<Env = unknown, Ctx = unknown>
  extends BuilderOptions,
    Platform<Env, Ctx> {
  /**
   * The id of the conversation, which every response event contains. If it is missing or empty, a
   * new UUID, as in AgentScope's runner.
   */
  readonly sessionId?: string | null | undefined;
  /**
   * The protocol of the response. The agent code is the same for every protocol; values that the
   * protocol cannot represent are left out.
   */
  readonly protocol: WritableProtocol | CustomProtocol;
  /**
   * Milliseconds without an event after which a comment is sent to keep the connection alive:
   * 15,000 by default, 0 to disable.
   */
  readonly heartbeatMs?: number | undefined;
  /** Additional headers. They override those of {@link sseHeaders}. */
  readonly headers?: HeadersLike | undefined;
  /**
   * Called with the error that the agent throws, unless the client had disconnected before, and
   * with the context of the request. Logs with `console.error` by default.
   *
   * The client receives the code `AGENT_UNKNOWN_ERROR` and the `id` of the request, or the code and
   * message of an `AgentError`. A value that `onError` returns, also by a promise that resolves
   * within 5 seconds, is sent instead. Errors that `onError` throws are logged with
   * `console.error`.
   */
  readonly onError?: OnError<Env, Ctx> | undefined;
  /**
   * Called at the end of the run with what was lost, if something was: of the client's request, of
   * the requests to models that `callModel` and `runTools` send, and of the answer. Losses that are
   * known before the first byte are also in the header `agentwire-losses` of the response:
   * `opaque;n=2;class=quality, parameter;n=1;class=contract`.
   */
  readonly onLosses?: OnLosses<Env, Ctx> | undefined;
}

/** Called with the first losses of a run, up to 1,000, and the context of its request. */
export type OnLosses<Env = any, Ctx = any> = (
  losses: readonly Loss[],
  context: RequestContext<Env, Ctx>,
) => unknown;

/**
 * Runs an agent and streams the events that it writes.
 *
 * ```js
 * return respond(request, { protocol: "agent-api", sessionId }, async (out) => {
 *   const text = out.message().text();
 *   for await (const token of model(out.signal)) await text.delta(token);
 * });
 * ```
 *
 * The stream is always valid: open messages and contents are completed when the agent returns. If
 * the agent throws, or if a write that was not awaited failed, the run ends as failed. So it does,
 * with an error for `onError`, if the agent returns before a stream that it passes on has ended
 * (`out.forward` without `await`). An agent that has written nothing can return its answer: a text,
 * a response or another stream of events, or an async iterable of texts or events. An agent that has written nothing has an empty answer, and `onError` is called. When
 * the request is aborted, the client cancels the stream, or writing to it fails, `out.signal`
 * aborts, and the run ends as canceled if the stream is still writable. (Cloudflare's runtime
 * reports a disconnected client only with the compatibility flag `enable_request_signal`.)
 *
 * The errors below are thrown before the agent starts.
 *
 * @param request the request to respond to; only its `signal` is used, and the agent and `onError`
 * receive it
 * @param agent receives the writer, and the context of the request: its `id`, the request, `env`
 * and `ctx`
 * @throws AgentwireError `wrong-option`, also for headers that cannot be sent; `unknown-protocol`;
 * `protocol-not-converted`; `wrong-argument` if the agent is not a function or the request's
 * `signal` is not an `AbortSignal`
 */
export function respond<Http extends Abortable, Env = unknown, Ctx = unknown>(
  request: Http,
  options: RespondOptions<Env, Ctx>,
  agent: (out: AgentWriter, context: RequestContext<Env, Ctx, Http>) => unknown,
): Response {
  return respondFrom({}, request, options, agent);
}

/** What precedes a response. */
export interface ResponseStart {
  /**
   * As long as nothing was sent, it receives a refused call of the agent, instead of the stream.
   */
  readonly beginning?: Beginning | undefined;
  /** The losses of the request. */
  readonly losses?: RunLosses;
  /** Receives the answer at its end, as a response of the Agent API. */
  readonly record?: ((answer: object) => void) | undefined;
}

/** Responds like {@link respond}. */
export function respondFrom<Http extends Abortable, Env = unknown, Ctx = unknown>(
  { beginning, losses = new RunLosses(), record }: ResponseStart,
  request: Http,
  options: RespondOptions<Env, Ctx>,
  agent: (out: AgentWriter, context: RequestContext<Env, Ctx, Http>) => unknown,
): Response {
  const signal = signalOf(request);
  must(
    typeof agent === "function",
    "wrong-argument",
    "respond() takes a function that receives `out`",
  );
  knownOptions("respond()", options, RESPOND_OPTIONS);
  const { protocol, onError, onLosses } = options;
  must(
    protocol !== undefined,
    "wrong-option",
    `respond() needs the option \`protocol\`: one of ${WRITABLE.join(", ")}`,
  );
  mustBeHandler("respond()", onError);
  mustBeHandler("respond()", onLosses, "onLosses");
  const heartbeat = milliseconds("heartbeatMs", options.heartbeatMs ?? HEARTBEAT);
  const context = contextOf(request, options);
  const headers = headersOf(protocol, context.id, options.headers);
  const response = new AgentApiStreamBuilder({
    ...options,
    sessionId: options.sessionId || newSession(options),
  });
  let converter: Converter | undefined;
  try {
    // This `requestId` is that of the HTTP request; an A2A converter would use it as the id of the
    // JSON-RPC call.
    const {
      protocol: to,
      heartbeatMs: _,
      headers: __,
      onError: ___,
      onLosses: ____,
      env,
      ctx,
      requestId,
      ...written
    } = options;
    converter = to === WRITTEN ? undefined : new Converter({ ...written, from: WRITTEN, to });
  } catch (error) {
    response.free();
    throw error;
  }
  const emission = new Emission(response, heartbeat, converter, record);
  reportErrorsOf(emission, (error, what) => errorInfoFor(error, onError, what, context));
  beginning?.register(emission.signal);
  losses.register(emission.signal);
  registerRun(losses, emission);
  const running = run(emission, beginning, agent, signal, context, onError).then(() =>
    reportLosses(losses, onLosses, context),
  );
  outlive(options.ctx, running);
  addWork(signal, running);
  // The agent may have called a model already.
  losses.show(headers);
  return new Response(emission.stream, { headers });
}

/** The milliseconds without an event after which a comment is sent. */
export const HEARTBEAT = 15_000;

const RESPOND_OPTIONS: readonly string[] = [
  ...BUILDER_OPTIONS,
  "protocol",
  "heartbeatMs",
  "headers",
  "onError",
  "onLosses",
  "env",
  "ctx",
  "requestId",
];

/** The protocol that an agent writes; a converter translates it to the others. */
const WRITTEN = "agent-api";

/** An object with an optional abort signal, such as a `Request`. */
export interface Abortable {
  readonly signal?: AbortSignal | null | undefined;
}

async function run<Context extends RequestContext>(
  emission: Emission,
  beginning: Beginning | undefined,
  agent: (out: AgentWriter, context: Context) => unknown,
  signal: AbortSignal | undefined,
  context: Context,
  onError: OnError | undefined,
): Promise<void> {
  const stop = () => emission.stop(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    emission.open();
    emission.beginning = beginning;
    if (signal?.aborted) {
      return stop();
    }
    const returned = await agent(emission, context);
    emission.throwUnhandled();
    await writeReturned(emission, returned);
    emission.throwUnhandled();
    const { isEmpty } = emission;
    emission.finish("completed");
    emission.throwUnhandled();
    if (isEmpty) {
      // An empty answer can be intended: the client receives no failure, and `onError` the report.
      await errorInfoFor(
        new AgentwireError("no-output", NO_OUTPUT),
        onError,
        "the answer is empty",
        context,
      );
    }
  } catch (error) {
    if (!emission.signal.aborted) {
      await fail(emission, error, onError, context);
    }
  } finally {
    emission.endLosses();
    beginning?.begun();
    signal?.removeEventListener("abort", stop);
    emission.free();
  }
}

/** Passes the losses of a run that has ended to the function that receives them. Never rejects. */
async function reportLosses(
  { list }: RunLosses,
  onLosses: OnLosses | undefined,
  context: RequestContext,
): Promise<void> {
  try {
    if (list.length > 0) {
      await onLosses?.(list, context);
    }
  } catch (error) {
    logError(`onLosses failed for the request ${context.id}`, error);
  }
}

const NO_OUTPUT =
  'the agent has ended without output: its answer is what it returns or writes, such as `await out.text("…")`, or `await out.forward(…)`';

async function fail(
  emission: Emission,
  error: unknown,
  onError: OnError | undefined,
  context: RequestContext,
): Promise<void> {
  emission.seal();
  const { beginning } = emission;
  const refused = beginning?.isOpen === true ? refusedBy(error) : undefined;
  const [what, code] = isA(refused, HttpError)
    ? [`the model answered ${refused.status}`, `MODEL_HTTP_${refused.status}`]
    : ["an internal error happened"];
  const info = await errorInfoFor(error, onError, what!, context, code);
  if (refused !== undefined && beginning!.refuse(upstreamRefusal(refused, info))) {
    emission.close();
    return;
  }
  try {
    emission.finish("failed", info);
  } catch (second) {
    // The terminal event cannot be written. Readers report a stream without one as truncated.
    emission.close();
    await errorInfoFor(second, onError, "the stream could not be ended", context);
  }
}

function signalOf(request: Abortable): AbortSignal | undefined {
  const signal: unknown = request?.signal ?? undefined;
  const usable =
    signal === undefined ||
    (typeof signal === "object" && "aborted" in signal! && "addEventListener" in signal);
  must(
    typeof request === "object" && request !== null && usable,
    "wrong-argument",
    "respond() takes a request, or an object with its `signal`",
  );
  return signal as AbortSignal | undefined;
}

function headersOf(
  protocol: WritableProtocol | CustomProtocol,
  requestId: string,
  more: HeadersLike | undefined,
): Headers {
  try {
    const headers = new Headers({ ...sseHeaders(), [REQUEST_ID]: requestId });
    if (protocol === "ai-sdk") {
      // The mark of the AI SDK's streams, and their version.
      headers.set("x-vercel-ai-ui-message-stream", "v1");
    }
    if (typeof protocol === "object") {
      headers.set("content-type", protocol.contentType);
    }
    const moreHeaders = new Headers(more);
    moreHeaders.forEach((_, name) => headers.delete(name));
    // Each cookie is a separate header of the same name.
    moreHeaders.forEach((value, name) => headers.append(name, value));
    return headers;
  } catch (cause) {
    throw new AgentwireError(
      "wrong-option",
      "option `headers`, `requestId`, or the protocol's `contentType`, cannot be sent",
      { cause },
    );
  }
}

/** Returns a new session id: a fixed one if the ids are numbered. */
function newSession({ ids }: BuilderOptions): string {
  return ids === "numbered" ? "session_1" : uuid();
}
