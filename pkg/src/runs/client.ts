// The client of the runs endpoints.

import type {
  Json,
  RunAttachment,
  RunCancelAccepted,
  RunCreated,
  RunHistory,
  RunInput,
  RunSignedUrl,
  RunTranscript,
  RunUploaded,
} from "../agentwire.js";
import { absolute } from "../address.js";
import { check } from "../arguments.js";
import { knownOptions } from "../option_names.js";
import { jsonOf } from "../emit/options.js";
import { AgentwireError, ConnectionError, HttpError } from "../errors.js";
import { parseJson } from "../json.js";
import type { OptionsFor } from "../options.js";
import { type AgentStream, type StopOptions, streamOf } from "../read.js";
import { seed } from "../seed.js";
import { uuid } from "../uuid.js";
import { core, coreWith } from "../wasm.js";
import { Followed, type RunConnections, pause } from "./followed.js";
import { type OriginOptions, fetchWithin } from "./origin.js";
import { AG_UI } from "./protocol.js";
import { type UploadOptions, imageProblem, sent, wavProblem } from "./upload.js";
import type { Credentials, HeadersLike } from "../platform.js";

export type { UploadOptions } from "./upload.js";

/** How the endpoints are reached. Everything is optional. */
export interface RunsOptions extends OriginOptions {
  /** Sent with each request, or a function that gives them: an `authorization` that is renewed from time to time. */
  readonly headers?: HeadersLike | (() => HeadersLike | PromiseLike<HeadersLike>) | undefined;
  /** In place of the platform's. */
  readonly fetch?: typeof fetch | undefined;
  /** Whether cookies go along to another origin. */
  readonly credentials?: Credentials | undefined;
  /** About how many milliseconds are waited after a lost connection, at first: 250. It doubles while nothing comes. */
  readonly baseDelayMs?: number | undefined;
  /** The longest wait that the server has not asked for: 30,000 ms. */
  readonly maxDelayMs?: number | undefined;
  /** After how many attempts in a row that brought nothing it gives up: 10. */
  readonly attempts?: number | undefined;
  /** For how many milliseconds a connection may be silent, keep-alive comments included, until it counts as lost: 60,000. */
  readonly idleTimeoutMs?: number | undefined;
}

/** How a run is started. Everything is optional. */
export interface CreateRunOptions {
  /** Names the attempt: the same key is the same run, however often it is sent. A new UUID by default. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a run's events are read. Everything is optional. */
export interface RunEventsOptions extends OptionsFor<"ag-ui">, StopOptions {
  /**
   * A cursor, as `cursor` of an earlier read gave it: only what came after it is read. Without one the run is read from its
   * beginning, which makes the whole answer.
   */
  readonly after?: string | undefined;
  /** How often the server may find nothing to send before it closes the connection, 1 to 3600; the run is read on by another. */
  readonly idleLimit?: number | undefined;
}

/** A run being read. It is over with the run, not with a connection. */
export interface RunEvents extends AgentStream<"ag-ui"> {
  /** What has been read up to now, for `after`; undefined as long as nothing with a cursor came. */
  readonly cursor: string | undefined;
  /** What it took. */
  readonly connections: RunConnections;
}

/** Which part of the history is asked for. */
export interface HistoryOptions {
  /** The conversation; by default the user's latest. */
  readonly threadId?: string | undefined;
  /** The nearest earlier day than this one that has messages: `2026-03-19`. */
  readonly before?: string | undefined;
  /** The messages before this one, as a page says it of a day that goes on. */
  readonly beforeSeq?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page of the history. */
export interface RunHistoryPage extends RunHistory {
  /** There is more of the same day, before this message. A service without such pages never says it. */
  readonly beforeSeq?: number;
}

/**
 * The runs endpoints of a service.
 *
 * ```js
 * const runs = new RunsClient("/api/v1/agent", { headers: { authorization: `Bearer ${token}` } });
 * const { threadId, runId } = await runs.createRun({ threadId, runId, messages, forwardedProps: { runtime_mode: "chat" } });
 * for await (const { snapshot } of runs.events(threadId, runId)) render(snapshot.messages);
 * ```
 */
export class RunsClient {
  readonly #base: string;
  readonly #options: RunsOptions;

  /** @param base the address of the endpoints, for example `/api/v1/agent` */
  constructor(base: string | URL, options: RunsOptions = {}) {
    knownOptions("new RunsClient()", options, ["headers", "fetch", "credentials", "baseDelayMs", "maxDelayMs", "attempts", "idleTimeoutMs", "origins"]);
    this.#base = String(base).replace(/\/+$/, "");
    this.#options = options;
  }

  /**
   * Starts a run. The request carries an idempotency key and is sent again when the connection breaks or the service is
   * busy: it starts one run, however often it arrives.
   *
   * Rejects with an `HttpError` for what the service refuses, whose `json` lists the problems (`serializeRunInput` of `agentwire/runs/server`
   * finds them without sending anything), and with a `ConnectionError` when the service cannot be reached.
   */
  async createRun(input: RunInput, options: CreateRunOptions = {}): Promise<RunCreated> {
    check("createRun", { input: "object" }, [input]);
    const body = jsonOf(input as unknown as Json);
    const headers = { "content-type": "application/json", "idempotency-key": options.idempotencyKey ?? uuid() };
    const { signal } = options;
    const request = { method: "POST", headers, body, ...(signal && { signal }) };
    return this.#again(signal, () => this.#json<RunCreated>("/runs", request));
  }

  /**
   * Reads a run's events, as `read` does, through as many connections as it takes. A lost one is made again from the cursor;
   * where the service does not know that any more, the run is read from its beginning, and the next update has an answer
   * made anew.
   *
   * Rejects as `read` does: with an `HttpError` when the service refuses, with a `ConnectionError` when too many attempts
   * brought nothing.
   */
  events(threadId: string, runId: string, options: RunEventsOptions = {}): RunEvents {
    check("events", { threadId: "string", runId: "string" }, [threadId, runId]);
    const { baseDelayMs: baseDelay = 250, maxDelayMs: maxDelay = 30_000, attempts = 10, idleTimeoutMs: patience = 60_000 } = this.#options;
    const { after, idleLimit, ...reading } = options;
    const home = coreWith("RawFollower");
    const follower = home.run(() => new home.bindings.RawFollower(runId, after, baseDelay, maxDelay, attempts, seed()));
    const query = new URLSearchParams({ runId, ...(idleLimit !== undefined && { idle_limit: String(idleLimit) }) });
    const path = `/runs/${encodeURIComponent(threadId)}/events?${query}`;
    const connect = (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
      this.#fetch(path, {
        signal,
        cache: "no-store",
        headers: { accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
      });
    const followed = new Followed(home, follower, connect, patience);
    core([AG_UI]);
    return Object.defineProperties(streamOf<"ag-ui">([AG_UI], followed, reading), {
      cursor: { get: () => followed.cursor, enumerable: true },
      connections: { get: () => followed.counts, enumerable: true },
    }) as RunEvents;
  }

  /** Asks the service to stop a run. That it did, its events tell. */
  cancel(threadId: string, runId: string, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<RunCancelAccepted> {
    const path = `/runs/${encodeURIComponent(threadId)}/cancel?${new URLSearchParams({ runId })}`;
    return this.#json(path, { method: "POST", ...(options.signal && { signal: options.signal }) });
  }

  /**
   * The messages of one day: the latest, or the nearest before a day. Without a thread, of the user's latest. Of a day that is too large
   * for one answer, the latest messages: `beforeSeq` of the page asks for those before.
   */
  history({ signal, ...which }: HistoryOptions = {}): Promise<RunHistoryPage> {
    const query = new URLSearchParams(JSON.parse(JSON.stringify(which)));
    return this.#json(`/history?${query}`, signal && { signal });
  }

  /** The history of a thread, the latest page first: a day, or a part of one. */
  async *historyPages(threadId?: string, signal?: AbortSignal): AsyncGenerator<RunHistoryPage, void, undefined> {
    let which: HistoryOptions = { threadId, signal };
    for (let hasMore = true; hasMore; ) {
      const page = await this.history(which);
      if (page.day === null) {
        return;
      }
      yield page;
      const { beforeSeq, day } = page;
      ({ hasMore } = page);
      which = { threadId: page.threadId!, signal, ...(beforeSeq === undefined ? { before: day } : { beforeSeq }) };
    }
  }

  /** Uploads an image. Its `url` is for a part of the next run's message. */
  async upload(threadId: string, file: Blob, options: UploadOptions = {}): Promise<RunAttachment> {
    const problem = imageProblem(file);
    if (problem !== undefined) {
      throw problem;
    }
    const form = new FormData();
    form.set("threadId", threadId);
    form.set("file", file);
    return (await this.#upload<RunUploaded>("/attachments", form, options)).attachment;
  }

  /** An address under which an attachment can be read for some time, anew. */
  signedUrl(bucket: string, path: string): Promise<RunSignedUrl> {
    return this.#json(`/attachments/signed-url?${new URLSearchParams({ bucket, path })}`);
  }

  /** What is said in a recording: WAV, 10 MB at most. */
  async transcribe(audio: Blob, options: UploadOptions = {}): Promise<string> {
    const problem = wavProblem(audio);
    if (problem !== undefined) {
      throw problem;
    }
    const form = new FormData();
    form.set("audio", audio);
    return (await this.#upload<RunTranscript>("/transcribe", form, options)).transcript;
  }

  async #headers(own: HeadersLike | undefined): Promise<Headers> {
    const { headers } = this.#options;
    const all = new Headers(typeof headers === "function" ? await headers() : headers);
    new Headers(own).forEach((value, name) => all.set(name, value));
    return all;
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const { credentials, fetch: ask = fetch } = this.#options;
    const headers = await this.#headers(init.headers);
    const where = this.#base + path;
    return (await fetchWithin(where, ask, where, { ...init, headers, ...(credentials && { credentials }) }, this.#options)).response;
  }

  async #json<T>(path: string, init?: RequestInit): Promise<T> {
    const response = await this.#fetch(path, init);
    return answerOf(response.status, response.headers, await response.text());
  }

  async #upload<T>(path: string, form: FormData, options: UploadOptions): Promise<T> {
    const headers = await this.#headers(undefined);
    const { credentials, fetch: ask = fetch, origins } = this.#options;
    const within: typeof fetch = async (url, init) => (await fetchWithin(String(url), ask, String(url), init!, { origins })).response;
    const answer = await sent(absolute(this.#base + path).href, form, headers, ask === globalThis.fetch, within, credentials, options);
    return answerOf(answer.status, answer.headers, answer.body);
  }

  /** A request that may be repeated, until it is answered. */
  async #again<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    const { baseDelayMs: baseDelay = 250, maxDelayMs: maxDelay = 30_000, attempts = 10 } = this.#options;
    const home = coreWith("RawBackoff");
    const backoff = home.run(() => new home.bindings.RawBackoff(baseDelay, maxDelay, attempts, seed()));
    try {
      for (;;) {
        try {
          return await ask();
        } catch (error) {
          const wait = mayPass(error) ? home.run(() => backoff.next(waitOf(error))) : undefined;
          if (wait === undefined || signal?.aborted) {
            throw error instanceof AgentwireError || signal?.aborted ? error : new ConnectionError(error, undefined);
          }
          await pause(wait, signal);
        }
      }
    } finally {
      home.free(backoff);
    }
  }
}

function answerOf<T>(status: number, headers: Headers, body: string): T {
  if (status < 200 || status > 299) {
    throw new HttpError(status, headers, body.slice(0, 64 * 1024));
  }
  return parseJson(body) as T;
}

/** Whether the same request may be answered later. */
function mayPass(error: unknown): boolean {
  return error instanceof HttpError ? [408, 425, 429, 500, 502, 503, 504].includes(error.status) : !(error instanceof AgentwireError);
}

function waitOf(error: unknown): number {
  return error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
}
