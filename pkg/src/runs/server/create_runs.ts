// The runs service: a request handler with the runs endpoints.

import type { Json, RunHistoryMessage } from "../../agentwire.js";
import { knownOptions, milliseconds } from "../../core/arguments.js";
import { errorHandler } from "../../core/error_handler.js";
import { AgentwireError, must } from "../../core/errors.js";
import { stringifyJson } from "../../core/json.js";
import { UUID } from "../../core/random.js";
import { RequestError } from "../../http/request.js";
import { type CorsOptions, withCors } from "../../server/cors.js";
import {
  parseRunCancelQuery,
  parseRunEventsQuery,
  parseRunHistoryQuery,
  parseRunInput,
  runsRefusal,
} from "../service.js";
import { type RunAgent, eventsOfAgent } from "./agent.js";
import { ANSWERS_OPTIONS, type AnswersOptions, IDLE, STREAM_HEADERS } from "./answer_service.js";
import { StoredAnswers, answerOf } from "./stored_answers.js";
import { ATTACHMENT_CODES, Attachments, OBJECT, mapAddresses } from "./attachments.js";
import type { BlobStore } from "./blobs.js";
import { LocalThreads, type RunsThreads } from "./local.js";
import { foreignRefusal } from "./foreign.js";
import {
  type RunsRefusal,
  bodyOf,
  checkUser,
  refuse,
  refuseUnless,
  storageRefusal,
} from "./refusal.js";
import { RETENTION, type RunsRetention } from "./retention.js";
import { hashOf, isSigned, secretOf, signed } from "./signing.js";
import type { Awaitable, LogStore } from "../../stores/log_store.js";
import type { StoredMessage } from "./store.js";
import { LIMITS, type Limits, type RunsLimits } from "./limits.js";
import type { ThreadOptions } from "./thread_options.js";
import { Uploads, wavSeconds } from "./uploads.js";

const AUDIO_CODES = {
  tooLarge: "AGENT_AUDIO_TOO_LARGE",
  empty: "AGENT_AUDIO_EMPTY",
  unsupported: "AGENT_AUDIO_UNSUPPORTED_FORMAT",
};
const AFTER_ALL_DAYS = "9999-99-99";
/** The timeout of a transcription in milliseconds. */
const TRANSCRIPTION_MS = 30_000;

/** A recording to transcribe. */
export interface Recording<Env = unknown> {
  /** The WAV file. */
  readonly audio: Blob;
  /** Its length. */
  readonly seconds: number;
  readonly user: string;
  readonly env: Env;
  readonly signal: AbortSignal;
}

/** The actions that `admit` can refuse. */
export type RunsAction = "run" | "answer" | "upload" | "transcription";

/** The options of {@link createRuns} that do not depend on the store. */
export interface RunsServiceOptions<Env = unknown> {
  /** The agent. */
  readonly agent: RunAgent<Env>;
  /**
   * The protocols of `agentwire/server`, whose answers become resumable: requests with
   * `Prefer: resumable`, and OpenAI responses, are stored and can be read by later connections.
   * Without this option, requests to other paths than `path` are refused.
   */
  readonly answers?: AnswersOptions<Env> | undefined;
  /**
   * Returns the user of a request, or undefined if it has none, for which the response is a 401.
   * The user owns threads and attachments: return the id of an account, not a token.
   * {@link jwtUsers} is such a function.
   */
  readonly authenticate: (request: Request, env: Env) => Awaitable<string | undefined>;
  /** The store of attachments. Without it, attachments are refused. */
  readonly blobs?: BlobStore | undefined;
  /**
   * The secret with which addresses of attachments and event streams are signed. Without it, they
   * are refused.
   */
  readonly secret?: string | undefined;
  /** Returns the text of a recording. Without it, recordings are refused. */
  readonly transcribe?: ((recording: Recording<Env>) => Awaitable<string>) | undefined;
  /**
   * Returns false to refuse a request with 429: a rate limit. An `answer` is an answer of a
   * protocol that is stored; its user is empty if the request has none.
   */
  readonly admit?:
    | ((user: string, action: RunsAction, env: Env, request: Request) => Awaitable<boolean>)
    | undefined;
  readonly limits?: RunsLimits | undefined;
  readonly retention?: RunsRetention | undefined;
  /** The path of the endpoints: `/api/v1/agent` by default. */
  readonly path?: string | undefined;
  /** The pages of other origins that may use the service: none by default. */
  readonly cors?: Pick<CorsOptions, "origin" | "credentials"> | undefined;
  /**
   * Receives the errors that clients do not receive. By default they are logged, and so is what it
   * throws or rejects with.
   */
  readonly onError?: ((error: unknown) => unknown) | undefined;
}

/** The options of {@link createRuns}. */
export interface RunsOptions<Env = unknown> extends RunsServiceOptions<Env> {
  /**
   * The store: `memoryStore()`, `sqliteStore(path)`, `postgresStore(url)`, `redisStore(url)`, or
   * your own. On Cloudflare Workers use `durableRuns` instead.
   */
  readonly store: LogStore;
  /** The environment that the agent and the other functions receive: models, keys. */
  readonly env?: Env | undefined;
}

/** A runs service. */
export interface Runs {
  /** Answers a request to one of the endpoints. */
  fetch(request: Request): Promise<Response>;
  /**
   * Stops the work of this process. It accepts no more runs, and waits `waitMs` milliseconds (0 by
   * default) for those in progress. Another process with the same store, or the next one, ends the
   * others.
   */
  close(options?: { readonly waitMs?: number | undefined }): Promise<void>;
}

/**
 * Creates a service with the runs endpoints.
 *
 * ```js
 * const runs = createRuns({
 *   store: sqliteStore("runs.sqlite"),
 *   authenticate: jwtUsers({ secret: process.env.JWT_SECRET }),
 *   agent: (input, { history, signal }) =>
 *     respond({ signal }, { protocol: "ag-ui", sessionId: input.threadId, responseId: input.runId }, (out) => answer(out, history)),
 * });
 * createServer(toNodeListener(runs.fetch)).listen(8000);
 * ```
 *
 * The service stores the messages of threads and the events of runs. A run continues without a
 * client, and clients resume its events. A new process ends the runs that the last one left in
 * progress; runs without events are started again.
 *
 * @throws AgentwireError `wrong-option`
 */
export function createRuns<Env = undefined>(options: RunsOptions<Env>): Runs {
  const { store, env, ...service } = options;
  knownOptions("createRuns()", options as object as Record<string, unknown>, [
    "store",
    "env",
    ...SERVICE_OPTIONS,
  ]);
  must(
    typeof store === "object" && store !== null,
    "wrong-option",
    "createRuns(): the option `store` is a store, such as `memoryStore()` or `sqliteStore(path)`",
  );
  const threads = new LocalThreads(store, threadOptions(service, env as Env));
  const handler = runsHandler(service, threads);
  return {
    fetch: (request) => handler(request, env as Env),
    close: ({ waitMs = 0 } = {}) => threads.close(milliseconds("waitMs", waitMs)),
  };
}

/** The names of {@link RunsServiceOptions}. */
export const SERVICE_OPTIONS: readonly (keyof RunsServiceOptions)[] = [
  "agent",
  "answers",
  "authenticate",
  "blobs",
  "secret",
  "transcribe",
  "admit",
  "limits",
  "retention",
  "path",
  "cors",
  "onError",
];

/** Returns values with defaults for those that are undefined. */
function withDefaults<T extends object>(
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

function limitsOf(configured: RunsLimits | undefined): Limits {
  const limits = withDefaults(LIMITS, configured);
  (["runMs", "keepAliveMs", "bodyMs"] as const).forEach((name) => milliseconds(name, limits[name]));
  return limits;
}

/** Returns the options of the threads of a service. */
export function threadOptions<Env>(
  options: RunsServiceOptions<Env>,
  env: Env,
): Omit<ThreadOptions, "schedule" | "onIdle"> {
  const { agent, answers, blobs, secret } = options;
  const onError = errorHandler("createRuns()", options.onError);
  const attachments = new Attachments(blobs, secret, onError);
  return {
    limits: limitsOf(options.limits),
    retention: withDefaults(RETENTION, options.retention),
    onError,
    async *agent({ input, history, user, base }, signal) {
      const renew = await attachments.renewing(user, base);
      const renewed = await Promise.all(history.map((message) => mapAddresses(message, renew)));
      yield* eventsOfAgent(agent(input, { history: renewed, user, env, signal }), signal);
    },
    answer(request, user, signal) {
      must(
        answers !== undefined,
        "wrong-option",
        "the store has an answer of a protocol, and the option `answers` is missing",
      );
      return answerOf(answers, request, user, env, signal);
    },
  };
}

/** A request to an endpoint, with its user. */
interface UserRequest<Env> {
  readonly request: Request;
  readonly env: Env;
  readonly query: URLSearchParams;
  /** The thread in the path. */
  readonly thread: string;
  readonly user: string;
  /** The URL of the endpoints. */
  readonly base: string;
}

/** An endpoint: its method, its path, where `:` stands for a thread, and its function. */
type Endpoint<Env> = readonly [
  method: string,
  path: string,
  answer: (asked: UserRequest<Env>) => Promise<Response>,
];

/** Returns the handler of the endpoints. */
export function runsHandler<Env>(
  options: RunsServiceOptions<Env>,
  threads: RunsThreads,
): (request: Request, env: Env, ctx?: unknown) => Promise<Response> {
  const {
    answers: answersOptions,
    authenticate,
    blobs,
    secret,
    transcribe,
    admit,
    path = "/api/v1/agent",
    cors,
  } = options;
  const onError = errorHandler("createRuns()", options.onError);
  const refuseForeign = foreignRefusal(cors?.origin);
  const limits = limitsOf(options.limits);
  must(
    typeof authenticate === "function" && typeof options.agent === "function",
    "wrong-option",
    "the options `agent` and `authenticate` are functions",
  );
  const attachments = new Attachments(blobs, secret, onError);
  const uploads = new Uploads(limits, refuseForeign);
  if (answersOptions !== undefined) {
    knownOptions(
      "the option `answers`",
      answersOptions as object as Record<string, unknown>,
      ANSWERS_OPTIONS,
    );
    must(
      typeof answersOptions.handler === "function",
      "wrong-option",
      "the option `answers.handler` is a function, such as that of `createHandler()`",
    );
  }

  const admitted = async (
    { user, env, request }: Pick<UserRequest<Env>, "user" | "env" | "request">,
    action: RunsAction,
  ): Promise<void> => {
    refuseUnless(
      (await admit?.(user, action, env, request)) !== false,
      "AGENT_RATE_LIMIT_EXCEEDED",
      `too many requests of this kind (${action}) in a short time`,
    );
  };
  const answers =
    answersOptions &&
    new StoredAnswers(answersOptions, threads, limits, {
      admit: (asked) => admitted(asked, "answer"),
      refuseForeign,
      onError,
    });
  /** Reads the body of a request that is JSON or empty. */
  const read = (request: Request): Promise<string> =>
    bodyOf(request, Math.min(limits.bodyBytes, LIMITS.bodyBytes), limits.bodyMs, refuseForeign);

  const create = async (asked: UserRequest<Env>): Promise<Response> => {
    await admitted(asked, "run");
    const { request, user, base } = asked;
    const parsed = parseRunInput(await read(request));
    const input = stringifyJson(parsed as unknown as Json);
    const key = request.headers.get("idempotency-key");
    refuseUnless(
      key === null || /^[\x21-\x7e]{1,256}$/.test(key),
      "AGENT_PAYLOAD_INVALID",
      "an idempotency key has 1 to 256 visible characters",
    );
    const { threadId, runId } = parsed;
    const { taskId, created } = accepted(
      await threads.call(idOf(threadId), "create", {
        owner: user,
        base,
        input,
        hash: await hashOf(input),
        key,
      }),
    );
    return json({ taskId, threadId, runId, created }, 202);
  };

  const follow = async (
    asked: Pick<UserRequest<Env>, "request" | "query" | "thread"> & {
      readonly user: string | undefined;
    },
  ): Promise<Response> => {
    const { runId, idle_limit: idleLimit = IDLE } = parseRunEventsQuery(asked.query);
    const { headers, signal } = asked.request;
    const run = { owner: asked.user, runId, cursor: headers.get("last-event-id"), idleLimit };
    const response = await threads.events(idOf(asked.thread), run, signal);
    const { status, body } = response;
    if (status >= 400) {
      return response;
    }
    return new Response(body, { status, headers: status === 204 ? {} : STREAM_HEADERS });
  };

  const cancel = async ({ request, query, thread, user }: UserRequest<Env>): Promise<Response> => {
    await read(request);
    const { runId } = parseRunCancelQuery(query);
    return json(
      {
        threadId: thread,
        runId,
        ...accepted(await threads.call(idOf(thread), "cancel", user, runId)),
      },
      202,
    );
  };

  const signedEvents = async ({
    query,
    thread,
    user,
    base,
  }: UserRequest<Env>): Promise<Response> => {
    const { runId } = parseRunCancelQuery(query);
    accepted(await threads.call(idOf(thread), "mayFollow", user, runId));
    const signature = await signed("EVENTS", subjectOf(thread, runId), secretOf(secret));
    return json({
      threadId: thread,
      runId,
      url: `${base}/runs/${thread}/events?${new URLSearchParams({ runId, ...signature })}`,
    });
  };

  const remove = async ({ request, thread, user }: UserRequest<Env>): Promise<Response> => {
    await read(request);
    const id = idOf(thread);
    // First, so that the request can be repeated if one of them cannot be deleted.
    const { messages: earlier } =
      blobs === undefined ? { messages: [] } : accepted(await threads.call(id, "messages", user));
    await attachments.delete(earlier, user);
    const { messages } = accepted(await threads.call(id, "delete", user));
    const known = new Set(earlier);
    await attachments.delete(
      messages.filter((message) => !known.has(message)),
      user,
    );
    return json({ threadId: thread, deleted: true });
  };

  const history = async ({ query, user, base }: UserRequest<Env>): Promise<Response> => {
    const { threadId, before } = parseRunHistoryQuery(query);
    const thread = threadId ?? (await threads.latestThread(user));
    const found =
      thread === undefined
        ? undefined
        : await threads.call(
            idOf(thread),
            "history",
            user,
            before ?? AFTER_ALL_DAYS,
            numberOf(query.get("beforeSeq")),
          );
    // The latest thread may have been deleted, and its id be another user's.
    if (
      found === undefined ||
      (threadId === undefined &&
        "refused" in found &&
        ["AGENT_SESSION_NOT_FOUND", "AGENT_FORBIDDEN"].includes(found.refused))
    ) {
      return json({
        scope: "history_day",
        threadId: null,
        day: null,
        hasMore: false,
        messages: [],
      });
    }
    const page = accepted(found);
    const renew = await attachments.renewing(user, base);
    const messages = await Promise.all(
      page.messages.map((message) => shownMessage(message, renew)),
    );
    return json({ scope: "history_day", threadId: thread, ...page, messages });
  };

  const upload = async (asked: UserRequest<Env>): Promise<Response> => {
    await admitted(asked, "upload");
    const { request, user, base } = asked;
    return uploads.receive(request, user, "file", ATTACHMENT_CODES, async (form) => {
      const threadId = form.field("threadId");
      refuseUnless(
        threadId !== undefined,
        "AGENT_SESSION_ID_INVALID",
        "the form has no `threadId`",
      );
      accepted(await threads.call(idOf(threadId), "mayWrite", user));
      return json({ attachment: await attachments.store(form, user, base) });
    });
  };

  const sign = async ({ query, user, base }: UserRequest<Env>): Promise<Response> =>
    json(await attachments.sign(query, user, base));

  const transcript = async (asked: UserRequest<Env>): Promise<Response> => {
    await admitted(asked, "transcription");
    const { request, user, env } = asked;
    return uploads.receive(request, user, "audio", AUDIO_CODES, async ({ file: audio }) => {
      const seconds = await wavSeconds(audio);
      refuseUnless(seconds !== undefined, AUDIO_CODES.unsupported, "a recording is a WAV file");
      refuseUnless(seconds > 0, AUDIO_CODES.empty, "the recording has no sound");
      try {
        const late = AbortSignal.timeout(TRANSCRIPTION_MS);
        const signal = AbortSignal.any([request.signal, late]);
        const text = await Promise.race([
          transcribe?.({ audio, seconds, user, env, signal }),
          aborted(late),
        ]);
        if (typeof text === "string") {
          return json({ transcript: text });
        }
        onError(
          new AgentwireError(
            "wrong-option",
            "the option `transcribe` is missing, or has not returned a text",
          ),
        );
      } catch (error) {
        onError(error);
      }
      throw runsRefusal("AGENT_ASR_UNAVAILABLE", "the speech service does not answer");
    });
  };

  const endpoints: readonly Endpoint<Env>[] = [
    ["POST", "/runs", create],
    ["GET", "/runs/:/events", follow],
    ["GET", "/runs/:/signed-url", signedEvents],
    ["POST", "/runs/:/cancel", cancel],
    ["DELETE", "/runs/:", remove],
    ["GET", "/history", history],
    ["POST", "/attachments", upload],
    ["GET", "/attachments/signed-url", sign],
    ["POST", "/transcribe", transcript],
  ];

  const answer = async (request: Request, env: Env, ctx: unknown): Promise<Response> => {
    const { pathname, origin, searchParams: query } = new URL(request.url);
    if (answers !== undefined && pathname !== path && !pathname.startsWith(`${path}/`)) {
      return answers.answer(request, env, ctx, async () => authenticate(request, env));
    }
    const below = pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : "";
    const { method } = request;
    if (below === OBJECT && (method === "GET" || method === "HEAD")) {
      // The signature in the address is the authorization.
      return attachments.serve(request);
    }
    const [, thread, rest = ""] = /^\/runs\/([^/]+)(\/.*)?$/.exec(below) ?? [];
    const form = thread === undefined ? below : `/runs/:${rest}`;
    if (
      thread !== undefined &&
      form === "/runs/:/events" &&
      method === "GET" &&
      query.has("signature")
    ) {
      if (
        await isSigned(
          "EVENTS",
          subjectOf(thread, query.get("runId") ?? ""),
          query,
          secretOf(secret),
        )
      ) {
        return follow({ request, query: withoutSignature(query), thread, user: undefined });
      }
      throw runsRefusal("AGENT_SIGNATURE_INVALID", "the address is not signed, or has expired");
    }
    const user = await authenticate(request, env);
    refuseUnless(
      typeof user === "string" && user !== "",
      "AUTH_UNAUTHORIZED",
      "the request has no valid token",
    );
    checkUser(user);
    const found = endpoints.filter(([, path]) => path === form);
    const endpoint = found.find(([one]) => one === method);
    if (endpoint !== undefined) {
      return endpoint[2]({ request, env, query, thread: thread ?? "", user, base: origin + path });
    }
    const [other] = found;
    return other === undefined
      ? refuse({ refused: "AGENT_NOT_FOUND", detail: "there is no such endpoint" })
      : refuse(
          { refused: "AGENT_METHOD_NOT_ALLOWED", detail: `this endpoint takes ${other[0]}` },
          { allow: `${other[0]}, OPTIONS` },
        );
  };

  const identified = async (request: Request, env: Env, ctx?: unknown): Promise<Response> => {
    const requestId = request.headers.get("x-request-id") ?? "";
    const response = await answer(request, env, ctx).catch((error: unknown) =>
      refusalOf(error, onError),
    );
    // The headers of some responses are immutable.
    const headers = new Headers(response.headers);
    // Errors of the protocols have the id of their own response.
    if (!headers.has("x-request-id")) {
      headers.set(
        "x-request-id",
        /^[\w-]{1,64}$/.test(requestId) ? requestId : crypto.randomUUID(),
      );
    }
    const { status, body } = response;
    return new Response(body, { status, headers });
  };

  return withCors(identified, {
    origin: [],
    methods: ["GET", "POST", "DELETE"],
    ...cors,
    allowHeaders: [
      "authorization",
      "content-type",
      "idempotency-key",
      "last-event-id",
      "x-request-id",
      ...(answers ? ["a2a-version", "prefer"] : []),
    ],
    exposeHeaders: [
      "retry-after",
      "x-request-id",
      ...(answers ? ["content-location", "preference-applied"] : []),
    ],
    maxAgeSeconds: 7200,
  });
}

/** Returns the answer for an error. */
function refusalOf(error: unknown, onError: (error: unknown) => void): Response {
  if (error instanceof RequestError) {
    const more = {
      401: { "www-authenticate": "Bearer" },
      429: { "retry-after": "10" },
      503: { "retry-after": "5" },
    };
    return error.toResponse({
      "cache-control": "no-store",
      ...more[error.status as keyof typeof more],
    });
  }
  if (error instanceof ThreadRefusal) {
    return refuse(error.refused);
  }
  onError(error);
  return refuse(
    storageRefusal(error) ?? {
      refused: "AGENT_INTERNAL_ERROR",
      detail: "the request has failed; its `x-request-id` identifies the error",
    },
  );
}

/** Carries the refusal of a thread to the handler. */
class ThreadRefusal extends Error {
  readonly refused: RunsRefusal;

  constructor(refused: RunsRefusal) {
    super(refused.detail);
    this.refused = refused;
  }
}

/** Returns the answer of a thread; throws its refusal. */
function accepted<T extends object | undefined>(answer: RunsRefusal | T): T {
  if (answer !== undefined && "refused" in answer) {
    throw new ThreadRefusal(answer);
  }
  return answer;
}

/** Returns the name of a thread. */
function idOf(threadId: string): string {
  refuseUnless(UUID.test(threadId), "AGENT_SESSION_ID_INVALID", "a thread's id is a UUID");
  return threadId.toLowerCase();
}

/** Returns the text that is signed for the events of a run. */
function subjectOf(thread: string, runId: string): string {
  return `${thread.toLowerCase()} ${runId}`;
}

/**
 * Returns the query of an event stream without its signature, which the validation does not know.
 */
function withoutSignature(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  ["expires", "signature"].forEach((name) => rest.delete(name));
  return rest;
}

/** Parses the number of a message; returns the largest one for other texts. */
function numberOf(text: string | null): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}

/** Returns a message of the history, with newly signed addresses of its attachments. */
async function shownMessage(
  { id, seq, role, content, extra, at }: StoredMessage,
  renew: (url: string) => Promise<string>,
): Promise<RunHistoryMessage> {
  const more = JSON.parse(extra) as Pick<RunHistoryMessage, "attachments">;
  const attachments = await Promise.all(
    (more.attachments ?? []).map(async (one) => ({ ...one, url: await renew(one.url) })),
  );
  const links = attachments.length > 0 ? { attachments } : {};
  return {
    id,
    seq,
    role,
    content,
    ...more,
    ...links,
    timestamp: new Date(at).toISOString(),
  } as RunHistoryMessage;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}
