// The operations on stored answers that all protocols share: starting one, reading its frames, and
// refusals.

import { RequestError } from "../../http/request.js";
import { MAX_BODY_BYTES } from "../../http/request_body.js";
import { runsRefusal } from "../service.js";
import { ANSWER } from "./answer_thread.js";
import type { AdapterOptions, Adapter } from "../../server/adapter.js";
import type { ServiceHost } from "../../server/service.js";
import { LOSSES } from "../../emit/run_losses.js";
import { type AnswerOutcome, lossesIn, outcomeIn } from "./answer_log.js";
import { refuseIn } from "./answer_refusal.js";
import type { Limits } from "./limits.js";
import type { RunEntries } from "./thread.js";
import type { RunsThreads } from "./local.js";
import { type RunsRefusal, bodyOf, storageRefusal } from "./refusal.js";
import { hashOf } from "./signing.js";
import type { StoredRequest } from "./stored_request.js";

/** The maximum number of bytes of a stored request, with its earlier items or its task. */
export const MAX_STORED_REQUEST_BYTES = 8 * 1024 * 1024;
/** The number of keep-alives of an idle connection before it is closed. */
export const IDLE = 300;
/**
 * The least number of characters of the id of a chat or a conversation without a user: the id is the
 * credential of its answers, and must not be guessable.
 */
export const LEAST = 16;
/** The milliseconds within which a body must arrive, by default. */
const BODY_MS = 30_000;
/** The headers of a request that are stored with it. */
const STORED_HEADERS = ["content-type", "a2a-version"];

/** A request to one of the protocols. Its user is empty if the handler has no users. */
export interface AnswerRequest<Env> {
  readonly request: Request;
  readonly env: Env;
  readonly user: string;
  readonly pathname: string;
  readonly requestId: string;
  /** The adapter of the protocol; undefined for a stored answer. */
  readonly adapter: Adapter | undefined;
  readonly options: AdapterOptions<any, any>;
}

/** A request that was answered by a stream, or by a whole response. */
export type Started =
  | { readonly id: string; readonly losses: string | undefined }
  | { readonly response: Response };

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
  readonly threads: RunsThreads;
  readonly path: string;
  readonly host: ServiceHost<Env>;
  readonly limits: Limits;
  readonly admit: AnswerChecks<Env>["admit"];
  readonly #refuseForeign: (request: Request) => void;
  readonly #onError: (error: unknown) => void;

  constructor(
    host: ServiceHost<Env>,
    threads: RunsThreads,
    limits: Limits,
    { admit, refuseForeign, onError }: AnswerChecks<Env>,
  ) {
    [this.host, this.threads, this.limits, this.admit, this.#refuseForeign, this.#onError] = [
      host,
      threads,
      limits,
      admit,
      refuseForeign,
      onError,
    ];
    this.path = `${host.answersPath ?? "/answers"}/`;
  }

  /** Passes a request to its adapter without storing the answer. */
  pass({ request, adapter, options }: AnswerRequest<Env>, body?: string): Promise<Response> {
    const more = body === undefined ? options : { ...options, body };
    return adapter!.answer(request, this.host.agent, more);
  }

  /** Returns a refusal in the form of the protocol. */
  refuse(asked: AnswerRequest<Env>, refusal: RunsRefusal, body?: string): Response {
    return refuseIn(asked, refusal, body);
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
  async bodyOf({ request, options }: AnswerRequest<Env>): Promise<string> {
    const { body, maxBodyBytes = MAX_BODY_BYTES, bodyTimeoutMs = BODY_MS } = options;
    const most = Math.min(maxBodyBytes, MAX_STORED_REQUEST_BYTES);
    return body ?? bodyOf(request, most, bodyTimeoutMs, this.#refuseForeign);
  }

  /**
   * Returns the name of a conversation; undefined if its id is not a credential: without a user it
   * must not be guessable.
   */
  async conversationOf(
    user: string,
    name: string | readonly [id: string, within: string],
  ): Promise<string | undefined> {
    const [id, ...within] = typeof name === "string" ? [name] : name;
    return id.length < (user === "" ? LEAST : 1)
      ? undefined
      : hashOf(JSON.stringify(["conversation", user, id, ...within]));
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
    const input = inputOf(request, { ...stored, requestId: asked.requestId });
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
      return { response: this.refuse(asked, created, stored.body) };
    }
    const first = await this.threads.call(id, "entries", user, ANSWER, "first");
    if ("refused" in first) {
      return { response: this.refuse(asked, first, stored.body) };
    }
    const [{ data }] = first.entries as [RunEntries["entries"][number]];
    const outcome = outcomeIn(data);
    if (outcome === undefined) {
      return { id, losses: lossesIn(data) };
    }
    if ("failure" in outcome || outcome.status >= 400) {
      // The request may be sent again.
      await this.threads.call(id, "entries", user, ANSWER, "end");
      await this.threads.call(id, "delete", user);
    }
    return { response: this.responseOf(asked, outcome, stored.body) };
  }

  /** Returns the response for an outcome in place of frames. */
  responseOf(asked: AnswerRequest<Env>, outcome: AnswerOutcome, sent: string): Response {
    if ("failure" in outcome) {
      const { code, message } = outcome.failure;
      return this.refuse(asked, { refused: code, detail: message }, sent);
    }
    const { status, headers: own, body } = outcome;
    return new Response(body, {
      status,
      headers: own.map(([name, value]): [string, string] => [name, value]),
    });
  }

  /** Returns the frames of an answer after the cursor of the request. */
  async frames(
    asked: AnswerRequest<Env>,
    id: string,
    runId: string | null = null,
    { losses, turn }: { readonly losses?: string | undefined; readonly turn?: string } = {},
  ): Promise<Response> {
    const { request, user } = asked;
    const followed = {
      owner: user,
      runId,
      cursor: request.headers.get("last-event-id"),
      idleLimit: IDLE,
    };
    const response = await this.threads.events(id, followed, request.signal);
    const { status, body } = response;
    if (status >= 400) {
      return this.refuse(asked, missing(await refusalIn(response)));
    }
    const stream = status === 204 ? {} : STREAM_HEADERS;
    const headers = {
      ...stream,
      "content-location": `${this.path}${id}${turn === undefined ? "" : `?turn=${turn}`}`,
      "preference-applied": "resumable",
      "cache-control": "no-store",
      ...lossHeader(losses),
    };
    return new Response(body, { status, headers });
  }
}

/** Returns the input of a run: a request to a protocol, as JSON. */
export function inputOf(request: Request, stored: Omit<StoredRequest, "url" | "headers">): string {
  const headers = Object.fromEntries(
    STORED_HEADERS.map((name) => [name, request.headers.get(name)]).filter(
      ([, value]) => value !== null,
    ),
  ) as Record<string, string>;
  return JSON.stringify({ url: request.url, headers, ...stored } satisfies StoredRequest);
}

/** Returns the header with losses, if there are some. */
export function lossHeader(losses: string | undefined): Record<string, string> {
  return losses === undefined ? {} : { [LOSSES]: losses };
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
