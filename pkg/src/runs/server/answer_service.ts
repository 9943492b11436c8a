// The operations on stored answers that all protocols share: starting one, reading its frames, and
// refusals.

import { RequestError } from "../../http/request.js";
import { runsRefusal } from "../service.js";
import { ANSWER } from "./answer_thread.js";
import { outcomeIn } from "./answer_log.js";
import { type ProtocolPaths, refuseAt } from "./answer_refusal.js";
import type { Limits } from "./limits.js";
import type { RunsThreads } from "./local.js";
import { type RunsRefusal, bodyOf, storageRefusal } from "./refusal.js";
import { hashOf } from "./signing.js";
import type { StoredRequest } from "./stored_request.js";

/** The third argument of the protocols' handler, which agents receive as `ctx`. */
export interface AnswerContext {
  /** The user; undefined if the request has none, and `isPublic` is set. */
  readonly user: string | undefined;
  /**
   * Keeps the platform's handler alive. If the answer is stored, its agent counts as running until
   * the work has ended, for 5 seconds at most after the answer.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

/** The options of the answers of protocols. */
export interface AnswersOptions<Env = unknown> {
  /**
   * The handler of the protocols: that of `createHandler`, or your own, which passes it the same
   * `Request`. Its agent receives an {@link AnswerContext} as `ctx`.
   */
  readonly handler: (request: Request, env: Env, ctx: AnswerContext) => Promise<Response>;
  /**
   * Whether requests without a user are answered. The id of a stored answer is then its only
   * credential. False by default.
   */
  readonly isPublic?: boolean | undefined;
  /** The path of stored answers: `/answers` by default. */
  readonly path?: string | undefined;
  /**
   * The paths of OpenAI Responses: `/v1/responses` and `/compatible-mode/v1/responses` by default.
   */
  readonly responses?: readonly string[] | undefined;
  /** The path of A2A: `/a2a` by default. */
  readonly a2a?: string | undefined;
  /**
   * The path of the AI SDK: `/api/chat` by default. `GET {path}/{id}/stream` returns the running
   * answer of a chat.
   */
  readonly aiSdk?: string | undefined;
}

/** The names of {@link AnswersOptions}. */
export const ANSWERS_OPTIONS: readonly (keyof AnswersOptions)[] = [
  "handler",
  "isPublic",
  "path",
  "responses",
  "a2a",
  "aiSdk",
];

/**
 * The maximum number of bytes of a stored request with its earlier items: a row of the log has less
 * than 2 MB.
 */
export const MAX_STORED_REQUEST_BYTES = 1024 * 1024;
/** The maximum number of bytes of the input of a run: a row has less than 2 MB. */
export const LARGEST_INPUT = 1_900_000;
/** The number of keep-alives of an idle connection before it is closed. */
export const IDLE = 300;
/** The headers of a request that are stored with it. */
const STORED_HEADERS = ["content-type", "a2a-version"];

/** A request to one of the protocols. Its user is empty if the request was not authenticated. */
export interface AnswerRequest<Env> {
  readonly request: Request;
  readonly env: Env;
  readonly ctx: unknown;
  readonly user: string;
  readonly pathname: string;
}

/** A request that was answered by a stream, or by a whole response. */
export type Started = { readonly id: string } | { readonly response: Response };

/** What the service checks, and reports, for its answers. */
export interface AnswerChecks<Env> {
  /** Throws a refusal if the user must not start an answer. */
  readonly admit: (asked: AnswerRequest<Env>) => Promise<void>;
  /** Throws a refusal for a request that a page of another origin could send without permission. */
  readonly refuseForeign: (request: Request) => void;
  readonly onError: (error: unknown) => void;
}

/** The operations on stored answers that all protocols share. */
export class AnswerService<Env> {
  readonly paths: ProtocolPaths;
  readonly threads: RunsThreads;
  readonly path: string;
  /** The path of the chats of the AI SDK. */
  readonly chats: string;
  readonly options: AnswersOptions<Env>;
  readonly limits: Limits;
  readonly admit: AnswerChecks<Env>["admit"];
  readonly #refuseForeign: (request: Request) => void;
  readonly #onError: (error: unknown) => void;

  constructor(
    options: AnswersOptions<Env>,
    threads: RunsThreads,
    limits: Limits,
    { admit, refuseForeign, onError }: AnswerChecks<Env>,
  ) {
    const {
      responses = ["/v1/responses", "/compatible-mode/v1/responses"],
      a2a = "/a2a",
      aiSdk = "/api/chat",
      path = "/answers",
    } = options;
    [this.options, this.threads, this.limits, this.admit, this.#refuseForeign, this.#onError] = [
      options,
      threads,
      limits,
      admit,
      refuseForeign,
      onError,
    ];
    this.paths = { responses, a2a };
    [this.path, this.chats] = [`${path}/`, aiSdk];
  }

  /** Passes a request to the protocols without storing its answer. */
  pass({ request, env, ctx, user }: AnswerRequest<Env>): Promise<Response> {
    const waitUntil = (work: Promise<unknown>): void =>
      (Object(ctx) as { waitUntil?(work: Promise<unknown>): void }).waitUntil?.(work);
    return this.options.handler(request, env, { user: user || undefined, waitUntil });
  }

  /** Returns a refusal in the form of the protocol at a path. */
  refuse(pathname: string, refusal: RunsRefusal, body?: string): Response {
    return refuseAt(pathname, this.paths, refusal, body);
  }

  /** Returns the refusal for an error; reports an unexpected one. */
  async refusalOf(error: unknown): Promise<RunsRefusal> {
    if (error instanceof RequestError) {
      return refusalIn(error.toResponse(error.status === 429 ? { "retry-after": "10" } : {}));
    }
    this.#onError(error);
    return (
      storageRefusal(error) ?? { refused: "AGENT_INTERNAL_ERROR", detail: "something went wrong" }
    );
  }

  /** Reads the body, which is JSON or empty; throws a refusal. */
  bodyOf(request: Request, maxBodyBytes = MAX_STORED_REQUEST_BYTES): Promise<string> {
    return bodyOf(request, maxBodyBytes, this.limits.bodyMs, this.#refuseForeign);
  }

  /** Returns the id of the answer to a request: the same for the same idempotency key of a user. */
  idOf(asked: AnswerRequest<Env>): Promise<string> {
    const key = checkKey(asked);
    const { user, pathname } = asked;
    // Without a user the id is the only credential of an answer, so it is as hard to guess as the
    // key.
    return hashOf(JSON.stringify([user, pathname, key ?? crypto.randomUUID()]));
  }

  /** Starts an answer, unless it exists, and waits for its first entry. */
  async ask(
    asked: AnswerRequest<Env>,
    id: string,
    stored: Pick<StoredRequest, "body" | "before" | "responseId" | "chat">,
  ): Promise<Started> {
    await this.admit(asked);
    const { request, user, pathname } = asked;
    const headers = Object.fromEntries(
      STORED_HEADERS.map((name) => [name, request.headers.get(name)]).filter(
        ([, value]) => value !== null,
      ),
    ) as Record<string, string>;
    const input = JSON.stringify({ url: request.url, headers, ...stored } satisfies StoredRequest);
    const hash = await hashOf(`${pathname}\n${stored.body}`);
    const created = await this.threads.call(id, "create", {
      owner: user,
      base: "",
      input,
      hash,
      key: null,
    });
    // The run is active, or has ended, with this hash.
    if ("refused" in created) {
      return { response: this.refuse(pathname, created, stored.body) };
    }
    const first = await this.threads.call(id, "entries", user, ANSWER, "first");
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
      await this.threads.call(id, "entries", user, ANSWER, "end");
      await this.threads.call(id, "delete", user);
    }
    if (isFailure) {
      const { code, message } = outcome.failure;
      return { response: this.refuse(pathname, { refused: code, detail: message }, stored.body) };
    }
    const { status, headers: own, body } = outcome;
    return {
      response: new Response(body, {
        status,
        headers: own.map(([name, value]): [string, string] => [name, value]),
      }),
    };
  }

  /** Returns the frames of an answer after the cursor of the request. */
  async frames(
    { request, user, pathname }: AnswerRequest<Env>,
    id: string,
    runId: string | null = null,
  ): Promise<Response> {
    const followed = {
      owner: user,
      runId,
      cursor: request.headers.get("last-event-id"),
      idleLimit: IDLE,
    };
    const response = await this.threads.events(id, followed, request.signal);
    const { status, body } = response;
    if (status >= 400) {
      return this.refuse(pathname, missing(await refusalIn(response)));
    }
    const stream = status === 204 ? {} : STREAM_HEADERS;
    const headers = {
      ...stream,
      "content-location": this.path + id,
      "preference-applied": "resumable",
      "cache-control": "no-store",
    };
    return new Response(body, { status, headers });
  }
}

/** The headers of a stream of frames. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export const noAnswer: RunsRefusal = {
  refused: "AGENT_NOT_FOUND",
  detail: "there is no such answer, or not any more",
};

/**
 * Returns the refusal of an answer: one that does not exist, and one of another user, are not
 * distinguished.
 */
export function missing(refusal: RunsRefusal): RunsRefusal {
  return [
    "AGENT_SESSION_NOT_FOUND",
    "AGENT_RUN_NOT_FOUND",
    "AGENT_FORBIDDEN",
    "AGENT_RUN_EXPIRED",
  ].includes(refusal.refused)
    ? noAnswer
    : refusal;
}

/** Parses the refusal in a response with problem details. */
export async function refusalIn(response: Response): Promise<RunsRefusal> {
  const { code, detail } = (await response.json()) as {
    readonly code: string;
    readonly detail: string;
  };
  const retryAfter = response.headers.get("retry-after");
  return { refused: code, detail, ...(retryAfter !== null && { retryAfter: Number(retryAfter) }) };
}

/** Returns the idempotency key of a request; throws a refusal if it is not valid. */
export function checkKey({
  request,
  user,
}: Pick<AnswerRequest<unknown>, "request" | "user">): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !(user === "" ? /^[\x21-\x7e]{16,256}$/ : /^[\x21-\x7e]{1,256}$/).test(key)) {
    throw runsRefusal(
      "AGENT_PAYLOAD_INVALID",
      "an idempotency key has 1 to 256 visible characters; at least 16 without a user, because it must not be guessable",
    );
  }
  return key;
}
