// Answers of the protocols that outlive their connection: `Prefer: resumable` at the protocol's own path, and the frames after a cursor
// at the address in `Content-Location`. OpenAI responses are stored by default.

import { isCard } from "../../a2a/calls.js";
import { AgentwireError } from "../../core/errors.js";
import { readBody } from "../../http/request_body.js";
import { markStored } from "../../http/context.js";
import { RequestError } from "../../http/request.js";
import { runsRefusal } from "../service.js";
import { ANSWER, type StoredRequest, framesOf, isAnswerId, outcomeEntry, outcomeIn } from "./answer.js";
import { type ProtocolPaths, isAt, refuseAt } from "./answer_refusal.js";
import type { Limits } from "./limits.js";
import type { RunsThreads } from "./local.js";
import { type RunsRefusal, storageRefusal } from "./refusal.js";
import { hashOf } from "./signing.js";
import { StoredResponses } from "./stored_responses.js";
import { StoredTasks } from "./stored_tasks.js";
import { withTurns } from "./turns.js";

/** The third argument of the protocols' handler, which agents receive as `ctx`. */
export interface AnswerContext {
  /** The user; undefined if the request has none, and `isPublic` is set. */
  readonly user: string | undefined;
  /** Keeps the platform's handler alive. Absent if the answer is stored, because the service waits for it. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

/** The options of the answers of protocols. */
export interface AnswersOptions<Env = unknown> {
  /**
   * The handler of the protocols: that of `createHandler`, or your own, which passes it the same `Request`. Its agent receives an
   * {@link AnswerContext} as `ctx`.
   */
  readonly handler: (request: Request, env: Env, ctx: AnswerContext) => Promise<Response>;
  /** Whether requests without a user are answered. The id of a stored answer is then its only credential. False by default. */
  readonly isPublic?: boolean | undefined;
  /** The path of stored answers: `/answers` by default. */
  readonly path?: string | undefined;
  /** The paths of OpenAI Responses: `/v1/responses` and `/compatible-mode/v1/responses` by default. */
  readonly responses?: readonly string[] | undefined;
  /** The path of A2A: `/a2a` by default. */
  readonly a2a?: string | undefined;
}

/** The names of {@link AnswersOptions}. */
export const ANSWERS_OPTIONS: readonly (keyof AnswersOptions)[] = ["handler", "isPublic", "path", "responses", "a2a"];

/** The maximum number of bytes of a stored request with its earlier items: a row of the log has less than 2 MB. */
export const MOST = 1024 * 1024;
/** The maximum number of bytes of the input of a run: a row has less than 2 MB. */
export const LARGEST_INPUT = 1_900_000;
/** The number of keep-alives of an idle connection before it is closed. */
export const IDLE = 300;
/** The headers of a request that are stored with it. */
const STORED_HEADERS = ["content-type", "a2a-version"];

/** A request to one of the protocols, with its user, who is empty if there is none. */
export interface AnswerRequest<Env> {
  readonly request: Request;
  readonly env: Env;
  readonly ctx: unknown;
  readonly user: string;
  readonly pathname: string;
}

/** A request that was answered by a stream, or by a whole response. */
export type Started = { readonly id: string } | { readonly response: Response };

/** The answers of a service. */
export class Answers<Env> {
  readonly paths: ProtocolPaths;
  readonly threads: RunsThreads;
  readonly #path: string;
  readonly #options: AnswersOptions<Env>;
  readonly limits: Limits;
  /** Throws a refusal if the user must not start an answer. */
  readonly admit: (asked: AnswerRequest<Env>) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #responses: StoredResponses<Env>;
  readonly #tasks: StoredTasks<Env>;

  constructor(options: AnswersOptions<Env>, threads: RunsThreads, limits: Limits, admit: (asked: AnswerRequest<Env>) => Promise<void>, onError: (error: unknown) => void) {
    const { responses = ["/v1/responses", "/compatible-mode/v1/responses"], a2a = "/a2a", path = "/answers" } = options;
    [this.#options, this.threads, this.limits, this.admit, this.#onError] = [options, threads, limits, admit, onError];
    this.paths = { responses, a2a };
    this.#path = `${path}/`;
    this.#responses = new StoredResponses(this);
    this.#tasks = new StoredTasks(this);
  }

  /** Answers a request that is not for the endpoints of runs. */
  async answer(request: Request, env: Env, ctx: unknown, authenticate: () => Promise<string | undefined>): Promise<Response> {
    const { pathname } = new URL(request.url);
    try {
      // A card describes the service to clients that have no token yet.
      const isOpen = request.method === "OPTIONS" || isCard(pathname);
      const user = isOpen ? "" : await authenticate();
      if (!user && !isOpen && this.#options.isPublic !== true) {
        throw runsRefusal("AUTH_UNAUTHORIZED", "the request has no valid token");
      }
      const asked = { request, env, ctx, user: user ?? "", pathname };
      if (pathname.startsWith(this.#path)) {
        return await this.#resume(asked);
      }
      const isResponses = isAt(pathname, this.paths.responses);
      if (isResponses && !this.paths.responses.includes(pathname)) {
        return await this.#responses.below(asked);
      }
      const isResumable = request.method === "POST" && prefersResumable(request);
      if (isResumable) {
        checkKey(asked);
      }
      if (isAt(pathname, [this.paths.a2a])) {
        return await this.#tasks.answer(asked, isResumable);
      }
      if (isResponses && request.method === "POST") {
        return await this.#responses.create(asked, isResumable);
      }
      return isResumable ? await this.#start(asked) : await this.pass(asked);
    } catch (error) {
      return this.refuse(pathname, await this.refusalOf(error));
    }
  }

  /** Passes a request to the protocols without storing its answer. */
  pass({ request, env, ctx, user }: AnswerRequest<Env>): Promise<Response> {
    const waitUntil = (work: Promise<unknown>): void => (Object(ctx) as { waitUntil?(work: Promise<unknown>): void }).waitUntil?.(work);
    return this.#options.handler(request, env, { user: user || undefined, waitUntil });
  }

  refuse(pathname: string, refusal: RunsRefusal, body?: string): Response {
    return refuseAt(pathname, this.paths, refusal, body);
  }

  async refusalOf(error: unknown): Promise<RunsRefusal> {
    if (error instanceof RequestError) {
      return refusalIn(error.toResponse(error.status === 429 ? { "retry-after": "10" } : {}));
    }
    this.#onError(error);
    return storageRefusal(error) ?? { refused: "AGENT_INTERNAL_ERROR", detail: "something went wrong" };
  }

  /** Reads the body; throws a refusal. */
  async bodyOf(request: Request, maxBodyBytes = MOST): Promise<string> {
    try {
      return await readBody(request, { maxBodyBytes, bodyTimeoutMs: this.limits.bodyMs, contentTypes: ["*"] });
    } catch (error) {
      if (!(error instanceof RequestError)) {
        throw error;
      }
      const code = { 413: "AGENT_BODY_TOO_LARGE", 408: "AGENT_BODY_TIMEOUT" }[error.status] ?? "AGENT_RUN_INPUT_INVALID";
      throw runsRefusal(code, error.message);
    }
  }

  /** Returns the id of the answer to a request: the same for the same idempotency key of a user. */
  idOf(asked: AnswerRequest<Env>): Promise<string> {
    const key = checkKey(asked);
    const { user, pathname } = asked;
    // Without a user the id is the only credential of an answer, so it is as hard to guess as the key.
    return hashOf(JSON.stringify([user, pathname, key ?? crypto.randomUUID()]));
  }

  /** Starts an answer, unless it exists, and waits for its first entry. */
  async ask(asked: AnswerRequest<Env>, id: string, stored: Pick<StoredRequest, "body" | "before" | "responseId">): Promise<Started> {
    await this.admit(asked);
    const { request, user, pathname } = asked;
    const headers = Object.fromEntries(STORED_HEADERS.flatMap((name) => [[name, request.headers.get(name)]]).filter(([, value]) => value !== null)) as Record<string, string>;
    const input = JSON.stringify({ url: request.url, headers, ...stored } satisfies StoredRequest);
    const hash = await hashOf(`${pathname}\n${stored.body}`);
    const created = await this.threads.create(id, { owner: user, base: "", input, hash, key: null });
    // The run is active, or has ended, with this hash.
    if ("refused" in created) {
      return { response: this.refuse(pathname, created, stored.body) };
    }
    const first = await this.threads.entries(id, user, ANSWER, "first");
    if ("refused" in first) {
      return { response: this.refuse(pathname, first, stored.body) };
    }
    const outcome = outcomeIn(first.entries[0]!.data);
    if (outcome === undefined) {
      return { id };
    }
    const isFailure = "failure" in outcome;
    if (isFailure || outcome.status >= 400) {
      // The request may be sent again.
      await this.threads.entries(id, user, ANSWER, "end");
      await this.threads.delete(id, user);
    }
    if (isFailure) {
      const { code, message } = outcome.failure;
      return { response: this.refuse(pathname, { refused: code, detail: message }, stored.body) };
    }
    const { status, headers: own, body } = outcome;
    return { response: new Response(body, { status, headers: own.map(([name, value]): [string, string] => [name, value]) }) };
  }

  /** Returns the frames of an answer after the cursor of the request. */
  async frames({ request, user, pathname }: AnswerRequest<Env>, id: string, runId: string | null = null): Promise<Response> {
    const followed = { owner: user, runId, cursor: request.headers.get("last-event-id"), idleLimit: IDLE };
    const response = await this.threads.events(id, followed, request.signal);
    const { status, body } = response;
    if (status >= 400) {
      return this.refuse(pathname, missing(await refusalIn(response)));
    }
    const stream = status === 204 ? {} : STREAM_HEADERS;
    const headers = { ...stream, "content-location": this.#path + id, "preference-applied": "resumable", "cache-control": "no-store" };
    return new Response(body, { status, headers });
  }

  async #start(asked: AnswerRequest<Env>): Promise<Response> {
    const id = await this.idOf(asked);
    const started = await this.ask(asked, id, { body: await this.bodyOf(asked.request) });
    return "response" in started ? started.response : this.frames(asked, id);
  }

  /** Returns the frames after a cursor, or stops the agent. */
  async #resume(asked: AnswerRequest<Env>): Promise<Response> {
    const { request, user, pathname } = asked;
    const id = pathname.slice(this.#path.length);
    if (!isAnswerId(id)) {
      return this.refuse(pathname, noAnswer);
    }
    switch (request.method) {
      case "GET":
        return this.frames(asked, id);
      case "DELETE": {
        const stopped = await this.threads.cancel(id, user, null);
        return "refused" in stopped ? this.refuse(pathname, missing(stopped)) : new Response(null, { status: 202 });
      }
      case "OPTIONS":
        return new Response(null, { status: 204, headers: { allow: METHODS } });
      default: {
        const response = this.refuse(pathname, { refused: "AGENT_METHOD_NOT_ALLOWED", detail: "use GET to read an answer and DELETE to stop it" });
        response.headers.set("allow", METHODS);
        return response;
      }
    }
  }
}

const METHODS = "GET, DELETE, OPTIONS";

/** The headers of a stream of frames. */
export const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" };

const noAnswer: RunsRefusal = { refused: "AGENT_NOT_FOUND", detail: "there is no such answer, or not any more" };

/** Returns the refusal of an answer: one that does not exist, and one of another user, are not distinguished. */
export function missing(refusal: RunsRefusal): RunsRefusal {
  return ["AGENT_SESSION_NOT_FOUND", "AGENT_RUN_NOT_FOUND", "AGENT_FORBIDDEN", "AGENT_RUN_EXPIRED"].includes(refusal.refused) ? noAnswer : refusal;
}

/** Parses the refusal in a response with problem details. */
export async function refusalIn(response: Response): Promise<RunsRefusal> {
  const { code, detail } = (await response.json()) as { readonly code: string; readonly detail: string };
  const retryAfter = response.headers.get("retry-after");
  return { refused: code, detail, ...(retryAfter !== null && { retryAfter: Number(retryAfter) }) };
}

/** Returns the idempotency key of a request; throws a refusal if it is not valid. */
function checkKey({ request, user }: Pick<AnswerRequest<unknown>, "request" | "user">): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !(user === "" ? /^[\x21-\x7e]{16,256}$/ : /^[\x21-\x7e]{1,256}$/).test(key)) {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", "an idempotency key has 1 to 256 visible characters; at least 16 without a user, because it must not be guessable");
  }
  return key;
}

function prefersResumable({ headers }: Request): boolean {
  const preferences = (headers.get("prefer") ?? "").split(",").map((one) => one.split(";", 1)[0]!.trim().toLowerCase());
  return preferences.includes("resumable");
}

/** Yields the frames of the protocols' answer to a stored request, or its outcome. */
export async function* answerOf<Env>({ handler }: AnswersOptions<Env>, stored: StoredRequest, user: string, env: Env, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const { url, headers: given, body, before, responseId, accepted, frames } = stored;
  if (frames !== undefined) {
    return yield* frames;
  }
  const request = new Request(url, { method: "POST", headers: given, body: withTurns(body, before), signal });
  markStored(request, { responseId, accepted });
  const response = await handler(request, env, { user: user || undefined });
  const { status, headers } = response;
  if (response.body === null || headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    yield outcomeEntry({ status, headers: [...headers], body: await response.text() });
    return;
  }
  let rest = "";
  let isFirst = responseId !== undefined;
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    rest += text;
    const whole = rest.lastIndexOf("\n\n") + 2;
    if (whole > 1) {
      for (const frame of framesOf(rest.slice(0, whole))) {
        if (isFirst && !frame.includes(`"${responseId}"`)) {
          throw new AgentwireError("wrong-option", "the option `answers.handler` passes the same `Request` to the handler of `createHandler`, and its Responses adapter sets no `responseId`");
        }
        isFirst = false;
        yield frame;
      }
      rest = rest.slice(whole);
    }
  }
}
