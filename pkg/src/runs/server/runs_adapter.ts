// The runs endpoints, as an adapter of a handler with a store.

import type { Json, RunHistoryMessage } from "../../agentwire.js";
import { knownOptions, milliseconds } from "../../core/arguments.js";
import { AgentwireError, must } from "../../core/errors.js";
import { isObject, stringifyJson, valueOf } from "../../core/json.js";
import type { Awaitable } from "../../core/platform.js";
import { UUID } from "../../core/random.js";
import { RequestError } from "../../http/request.js";
import type { Adapter } from "../../server/adapter.js";
import type { ServiceHost, StoredAction } from "../../server/service.js";
import {
  parseRunCancelQuery,
  parseRunEventsQuery,
  parseRunHistoryQuery,
  parseRunInput,
  runsRefusal,
} from "../service.js";
import { IDLE, STREAM_HEADERS } from "./answer_service.js";
import { ATTACHMENT_CODES, Attachments, OBJECT } from "./attachments.js";
import type { BlobStore } from "./blobs.js";
import { type EndpointLimits, LIMITS, type RunsLimits, withDefaults } from "./limits.js";
import type { RunsThreads } from "./local.js";
import {
  type RunsRefusal,
  bodyOf,
  checkUser,
  refuse,
  refuseUnless,
  storageRefusal,
} from "./refusal.js";
import { hashOf, isSigned, secretOf, signed } from "./signing.js";
import type { StoredMessage } from "./store.js";
import { TITLE, type ThreadDescription, changeThread, pageOfThreads } from "./thread_list.js";
import { Uploads, wavSeconds } from "./uploads.js";
import { created as createdRun } from "./while_running.js";

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

/** The options of {@link runsAdapter}. All are optional. */
export interface RunsAdapterOptions<Env = any> {
  /** The store of attachments. Without it, attachments are refused. */
  readonly blobs?: BlobStore | undefined;
  /**
   * The secret with which addresses of attachments and event streams are signed. Without it, they
   * are refused.
   */
  readonly secret?: string | undefined;
  /** Returns the text of a recording. Without it, recordings are refused. */
  readonly transcribe?: ((recording: Recording<Env>) => Awaitable<string>) | undefined;
  readonly limits?: RunsLimits | undefined;
  /** The path of the endpoints: `/api/v1/agent` by default. */
  readonly path?: string | undefined;
}

const OPTIONS: readonly (keyof RunsAdapterOptions)[] = [
  "blobs",
  "secret",
  "transcribe",
  "limits",
  "path",
];

/** The runs endpoints of a service. */
export interface RunsEndpoints {
  readonly path: string;
  readonly attachments: (onError: (error: unknown) => void) => Attachments;
  /** Returns the handler of the endpoints. */
  handler(service: RunsService<any>): RunsHandler<any>;
}

/** The service of the endpoints. */
export interface RunsService<Env> {
  readonly host: ServiceHost<Env>;
  readonly threads: RunsThreads;
  readonly onError: (error: unknown) => void;
  readonly refuseForeign: (request: Request) => void;
}

/** Answers a request to one of the endpoints. */
export type RunsHandler<Env> = (request: Request, env: Env, requestId: string) => Promise<Response>;

const ENDPOINTS = new WeakMap<object, RunsEndpoints>();

/** Returns the endpoints of an adapter, if it is one of {@link runsAdapter}. */
export function endpointsOf(adapter: Adapter): RunsEndpoints | undefined {
  return ENDPOINTS.get(adapter);
}

/**
 * Creates an adapter with the runs endpoints: runs that continue without a client, the history of
 * threads, attachments and transcription. The handler needs the options `store` and `authenticate`.
 *
 * ```js
 * const handler = createHandler({
 *   store: sqliteStore("chat.sqlite"),
 *   authenticate: jwtUsers({ secret: process.env.JWT_SECRET }),
 *   adapters: [runsAdapter({ blobs: folderBlobs("files"), secret: process.env.SECRET })],
 *   agent,
 * });
 * ```
 *
 * The agent receives the messages of the thread as those of its request.
 *
 * @throws AgentwireError `wrong-option`
 */
export function runsAdapter<Env = any>(options: RunsAdapterOptions<Env> = {}): Adapter {
  knownOptions("runsAdapter()", options as object as Record<string, unknown>, OPTIONS);
  const { path = "/api/v1/agent", blobs, secret } = options;
  must(
    typeof path === "string" && path.startsWith("/") && !path.endsWith("/"),
    "wrong-option",
    "runsAdapter(): `path` begins with a slash, and does not end with one",
  );
  const limits = withDefaults(LIMITS, options.limits);
  milliseconds("bodyMs", limits.bodyMs);
  const adapter: Adapter = {
    path,
    needsStore: true,
    handles: (pathname) => pathname === path || pathname.startsWith(`${path}/`),
    // The endpoints have an error of their own for a request without a user.
    isPublic: () => true,
    answer: () =>
      Promise.reject(
        new AgentwireError("wrong-option", "runsAdapter() is for `createHandler` with a `store`"),
      ),
  };
  ENDPOINTS.set(adapter, {
    path,
    attachments: (onError) => new Attachments(blobs, secret, onError),
    handler: (service) => runsHandler(options, limits, service),
  });
  return adapter;
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
function runsHandler<Env>(
  { blobs, secret, transcribe, path = "/api/v1/agent" }: RunsAdapterOptions<Env>,
  limits: EndpointLimits,
  { host, threads, onError, refuseForeign }: RunsService<Env>,
): RunsHandler<Env> {
  const { authenticate, admit, whileRunning } = host;
  must(
    authenticate !== undefined,
    "wrong-option",
    "runsAdapter() needs the option `authenticate` of `createHandler`",
  );
  const attachments = new Attachments(blobs, secret, onError);
  const uploads = new Uploads(limits, refuseForeign);

  const admitted = async (
    { user, env, request }: Pick<UserRequest<Env>, "user" | "env" | "request">,
    action: StoredAction,
  ): Promise<void> => {
    refuseUnless(
      (await admit?.(user, action, env, request)) !== false,
      "AGENT_RATE_LIMIT_EXCEEDED",
      `too many requests of this kind (${action}) in a short time`,
    );
  };
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
    const run = { owner: user, base, input, hash: await hashOf(input), key };
    const { taskId, created } = accepted(
      await createdRun(threads, idOf(threadId), run, whileRunning, request.signal),
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

  const list = async ({ query, user }: UserRequest<Env>): Promise<Response> => {
    const [limit, archived] = [query.get("limit") ?? "20", query.get("archived") ?? "false"];
    refuseUnless(
      /^[1-9]\d{0,2}$/.test(limit) && /^(true|false)$/.test(archived),
      "AGENT_PAYLOAD_INVALID",
      "`limit` is 1 to 100, `archived` is true or false",
    );
    const page = await pageOfThreads(threads, user, {
      search: query.get("search") ?? "",
      after: query.get("after") ?? "",
      archived: archived === "true",
      limit: Number(limit),
    });
    refuseUnless(page !== undefined, "AGENT_NOT_FOUND", "the store has no lists of threads");
    return json(page);
  };

  const change = async ({ request, thread, user }: UserRequest<Env>): Promise<Response> => {
    const body = valueOf(await read(request));
    const { title, archived } = Object(body) as Partial<ThreadDescription>;
    refuseUnless(
      isObject(body) &&
        (title === undefined || (typeof title === "string" && title.length <= TITLE)) &&
        (archived === undefined || typeof archived === "boolean"),
      "AGENT_PAYLOAD_INVALID",
      `\`title\` is a text of ${TITLE} characters at most, and \`archived\` true or false`,
    );
    const id = idOf(thread);
    accepted(await threads.call(id, "mayFollow", user, null));
    const changed = await changeThread(threads, user, id, {
      ...(title !== undefined && { title }),
      ...(archived !== undefined && { archived }),
    });
    return json(changed);
  };

  const endpoints: readonly Endpoint<Env>[] = [
    ["POST", "/runs", create],
    ["GET", "/runs/:/events", follow],
    ["GET", "/runs/:/signed-url", signedEvents],
    ["POST", "/runs/:/cancel", cancel],
    ["DELETE", "/runs/:", remove],
    ["GET", "/threads", list],
    ["PATCH", "/threads/:", change],
    ["DELETE", "/threads/:", remove],
    ["GET", "/history", history],
    ["POST", "/attachments", upload],
    ["GET", "/attachments/signed-url", sign],
    ["POST", "/transcribe", transcript],
  ];

  const answer = async (request: Request, env: Env): Promise<Response> => {
    const { pathname, origin, searchParams: query } = new URL(request.url);
    const below = pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : "";
    const { method } = request;
    if (below === OBJECT && (method === "GET" || method === "HEAD")) {
      // The signature in the address is the authorization.
      return attachments.serve(request);
    }
    const [, folder, thread, rest = ""] = /^\/(runs|threads)\/([^/]+)(\/.*)?$/.exec(below) ?? [];
    const form = thread === undefined ? below : `/${folder}/:${rest}`;
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

  return async (request, env, ownId) => {
    const requestId = request.headers.get("x-request-id") ?? "";
    const response = await answer(request, env).catch((error: unknown) =>
      refusalOf(error, onError),
    );
    // The headers of some responses are immutable.
    const headers = new Headers(response.headers);
    headers.set("x-request-id", /^[\w-]{1,64}$/.test(requestId) ? requestId : ownId);
    const { status, body } = response;
    return new Response(body, { status, headers });
  };
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
