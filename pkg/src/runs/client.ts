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
import { below, segment } from "../http/address.js";
import { setHeaders } from "../http/headers.js";
import { check, knownOptions, milliseconds } from "../core/arguments.js";
import { jsonOf, parseJson } from "../core/json.js";
import { AgentwireError, ConnectionError, HttpError } from "../core/errors.js";
import type { OptionsFor } from "../read/options.js";
import { type AgentStream, type StopOptions, streamOf } from "../read/read.js";
import { uuid } from "../core/random.js";
import { core, coreWith } from "../core/wasm.js";
import {
  type RetryOptions,
  RunSource,
  type RunConnections,
  retriesOf,
  waitOf,
} from "./run_source.js";
import { type OriginOptions, fetchWithin } from "../http/origin.js";
import { pause } from "../core/timers.js";
import { checkRunInput } from "./run_input.js";
import { AG_UI } from "../ag_ui/protocol.js";
import { type UploadOptions, mustBeImage, mustBeRecording, sendForm } from "./upload.js";
import type { Credentials, HeadersLike } from "../core/platform.js";

export type { UploadOptions } from "./upload.js";

/**
 * Milliseconds before a request is repeated while the thread has an active run, unless the service
 * requests another time.
 */
const BUSY = 1000;

/** The options of {@link RunsClient}. Everything is optional. */
export interface RunsClientOptions extends OriginOptions, RetryOptions {
  /**
   * The headers of each request, or a function that returns them, for example for an
   * `authorization` that is renewed.
   */
  readonly headers?: HeadersLike | (() => HeadersLike | PromiseLike<HeadersLike>) | undefined;
  /** A replacement for the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** The `credentials` of each request: whether cookies are sent to another origin. */
  readonly credentials?: Credentials | undefined;
}

/** The options of {@link RunsClient.createRun}. Everything is optional. */
export interface CreateRunOptions {
  /** The idempotency key: requests with the same key start only one run. A new UUID by default. */
  readonly idempotencyKey?: string | undefined;
  /**
   * The milliseconds for which the request is repeated while the thread has another active run
   * (409). 0 by default.
   */
  readonly busyWaitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The options of {@link RunsClient.events}. Everything is optional. */
export interface RunEventsOptions extends OptionsFor<"ag-ui">, StopOptions {
  /**
   * The `cursor` of an earlier read: only later events are read. By default the run is read from
   * its beginning, so that the snapshot is complete.
   */
  readonly after?: string | undefined;
  /**
   * The number of times, 1 to 3600, that the server can find nothing to send before it closes the
   * connection. The client then reconnects.
   */
  readonly idleLimit?: number | undefined;
}

/** The stream of a run. It ends with the run, not with a connection. */
export interface RunEvents extends AgentStream<"ag-ui"> {
  /** The cursor of the last event, for `after`. Undefined until an event with a cursor arrives. */
  readonly cursor: string | undefined;
  /** The counters of connections and events. */
  readonly connections: RunConnections;
}

/** A query for a part of the history. */
export interface HistoryOptions {
  /** The thread. The user's latest thread by default. */
  readonly threadId?: string | undefined;
  /** A day, for example `2026-03-19`: selects the nearest earlier day that has messages. */
  readonly before?: string | undefined;
  /** The `beforeSeq` of a page: selects the messages of the same day before that page. */
  readonly beforeSeq?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A thread in the list of its user. */
export interface RunThread {
  readonly threadId: string;
  /** The beginning of the first message of the user, until it is changed. */
  readonly title: string;
  readonly archived: boolean;
  /** The time of the last message, as ISO 8601. */
  readonly updatedAt: string;
}

/** A query for a part of the list of threads. */
export interface ThreadsOptions {
  /** A text in the titles. */
  readonly search?: string | undefined;
  /** Whether the threads are those of the archive: false by default. */
  readonly archived?: boolean | undefined;
  /** The number of threads of a page: 20 by default, 100 at most. */
  readonly limit?: number | undefined;
  /** The `next` of a page: selects the threads after it. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page of the list of threads. */
export interface RunThreadPage {
  readonly threads: readonly RunThread[];
  /** The position after the page; null at the end. */
  readonly next: string | null;
}

/** A page of the history. */
export interface RunHistoryPage extends RunHistory {
  /**
   * The position before which the same day has more messages. Absent if it has none, and from
   * services without such pages.
   */
  readonly beforeSeq?: number;
}

/**
 * A client of the runs endpoints of a service.
 *
 * ```js
 * const runs = new RunsClient("/api/v1/agent", { headers: { authorization: `Bearer ${token}` } });
 * const { threadId, runId } = await runs.createRun({ threadId, runId, messages, forwardedProps: { runtime_mode: "chat" } });
 * for await (const { snapshot } of runs.events(threadId, runId)) render(snapshot.messages);
 * ```
 */
export class RunsClient {
  readonly #base: string | URL;
  readonly #options: RunsClientOptions;

  /** @param base the address of the endpoints, for example `/api/v1/agent` */
  constructor(base: string | URL, options: RunsClientOptions = {}) {
    knownOptions("new RunsClient()", options, [
      "headers",
      "fetch",
      "credentials",
      "baseDelayMs",
      "maxDelayMs",
      "attempts",
      "idleTimeoutMs",
      "origins",
    ]);
    this.#base = base;
    this.#options = options;
  }

  /**
   * Starts a run. The request has an idempotency key and is repeated if the connection breaks or
   * the service is busy. It starts one run, however often it arrives.
   *
   * Rejects with a `RequestError` that lists the problems if the input is not valid, without a
   * request; with an `HttpError` if the service rejects the request, and with a `ConnectionError`
   * if the service cannot be reached.
   */
  async createRun(input: RunInput, options: CreateRunOptions = {}): Promise<RunCreated> {
    check("createRun", { input: "object" }, [input]);
    knownOptions("createRun()", options as Record<string, unknown>, [
      "idempotencyKey",
      "busyWaitMs",
      "signal",
    ]);
    const free = Date.now() + milliseconds("busyWaitMs", options.busyWaitMs ?? 0);
    const body = jsonOf(input as unknown as Json);
    checkRunInput(body);
    const headers = {
      "content-type": "application/json",
      "idempotency-key": options.idempotencyKey ?? uuid(),
    };
    const { signal } = options;
    const request = { method: "POST", headers, body, ...(signal && { signal }) };
    for (;;) {
      try {
        return await this.#again(signal, () => this.#json<RunCreated>({ path: "/runs" }, request));
      } catch (error) {
        const left = free - Date.now();
        if (!isBusy(error) || left <= 0 || signal?.aborted) {
          throw error;
        }
        await pause(Math.min(waitOf(error) || BUSY, left), signal);
      }
    }
  }

  /**
   * Reads the events of a run, like `read`, over as many connections as necessary. After a lost
   * connection it resumes from the cursor. If the service does not know the cursor any more, the
   * run is read from its beginning, and the next update has a rebuilt snapshot.
   *
   * Rejects like `read`: with an `HttpError` if the service rejects a request, and with a
   * `ConnectionError` after too many attempts that delivered nothing.
   */
  events(threadId: string, runId: string, options: RunEventsOptions = {}): RunEvents {
    check("events", { threadId: "string", runId: "string" }, [threadId, runId]);
    const { after, idleLimit, ...reading } = options;
    const endpoint = ofThread(threadId, "/events", {
      runId,
      ...(idleLimit !== undefined && { idle_limit: String(idleLimit) }),
    });
    const connect = (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
      this.#fetch(endpoint, {
        signal,
        cache: "no-store",
        headers: {
          accept: "text/event-stream",
          ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
        },
      });
    const source = new RunSource(runId, after, connect, this.#options);
    core([AG_UI]);
    return Object.defineProperties(streamOf<"ag-ui">([AG_UI], source, reading), {
      cursor: { get: () => source.cursor, enumerable: true },
      connections: { get: () => source.counts, enumerable: true },
    }) as RunEvents;
  }

  /** Asks the service to stop a run. The run's terminal event confirms it. */
  async cancel(
    threadId: string,
    runId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<RunCancelAccepted> {
    return this.#json(ofThread(threadId, "/cancel", { runId }), {
      method: "POST",
      ...(options.signal && { signal: options.signal }),
    });
  }

  /**
   * Returns an address of the events of a run that needs no token, for a native `EventSource`. It
   * is valid for a limited time.
   */
  async eventsUrl(threadId: string, runId: string): Promise<string> {
    return (
      await this.#json<{ readonly url: string }>(ofThread(threadId, "/signed-url", { runId }))
    ).url;
  }

  /**
   * Deletes a thread with its runs, messages and the attachments in them. An active run ends
   * without a terminal event.
   */
  async deleteThread(threadId: string): Promise<void> {
    await this.#json(ofThread(threadId), { method: "DELETE" });
  }

  /** Returns a page of the user's threads, the last used first. */
  threads({ signal, ...which }: ThreadsOptions = {}): Promise<RunThreadPage> {
    const query = Object.fromEntries(
      Object.entries(which)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    );
    return this.#json({ path: "/threads", query }, signal && { signal });
  }

  /** Changes the title of a thread, or moves it to the archive or back. */
  changeThread(
    threadId: string,
    change: { readonly title?: string; readonly archived?: boolean },
  ): Promise<RunThread> {
    const body = JSON.stringify(change);
    const path = `/threads/${encodeURIComponent(threadId)}`;
    const headers = { "content-type": "application/json" };
    return this.#json({ path }, { method: "PATCH", headers, body });
  }

  /**
   * Returns the messages of one day: the latest day, or the nearest one before `before`. Without
   * `threadId`, uses the user's latest thread. If a day is too large for one page, returns its
   * latest messages; pass `beforeSeq` of the page to read the earlier ones.
   */
  history({ signal, ...which }: HistoryOptions = {}): Promise<RunHistoryPage> {
    const query = JSON.parse(JSON.stringify(which)) as EndpointPath["query"];
    return this.#json({ path: "/history", query }, signal && { signal });
  }

  /** Yields the history of a thread, the latest page first. A page is a day or a part of one. */
  async *historyPages(
    threadId?: string,
    signal?: AbortSignal,
  ): AsyncGenerator<RunHistoryPage, void, undefined> {
    let which: HistoryOptions = { threadId, signal };
    for (let hasMore = true; hasMore; ) {
      const page = await this.history(which);
      if (page.day === null) {
        return;
      }
      yield page;
      const { beforeSeq, day } = page;
      ({ hasMore } = page);
      which = {
        threadId: page.threadId!,
        signal,
        ...(beforeSeq === undefined ? { before: day } : { beforeSeq }),
      };
    }
  }

  /** Uploads an image. Use its `url` in a message of the next run. */
  async upload(threadId: string, file: Blob, options: UploadOptions = {}): Promise<RunAttachment> {
    mustBeImage(file);
    const form = new FormData();
    form.set("threadId", threadId);
    form.set("file", file);
    return (await this.#upload<RunUploaded>("/attachments", form, options)).attachment;
  }

  /** Returns a new signed URL for an attachment. It is valid for a limited time. */
  signedUrl(bucket: string, path: string): Promise<RunSignedUrl> {
    return this.#json({ path: "/attachments/signed-url", query: { bucket, path } });
  }

  /** Returns the transcript of a WAV recording of at most 10 MB. */
  async transcribe(audio: Blob, options: UploadOptions = {}): Promise<string> {
    mustBeRecording(audio);
    const form = new FormData();
    form.set("audio", audio);
    return (await this.#upload<RunTranscript>("/transcribe", form, options)).transcript;
  }

  async #headers(own: HeadersLike | undefined): Promise<Headers> {
    const { headers } = this.#options;
    return setHeaders(
      setHeaders(new Headers(), typeof headers === "function" ? await headers() : headers),
      own,
    );
  }

  async #fetch({ path, query }: EndpointPath, init: RequestInit = {}): Promise<Response> {
    const { credentials, fetch: ask = fetch } = this.#options;
    const headers = await this.#headers(init.headers);
    const where = below(this.#base, path, query);
    return (
      await fetchWithin(
        where,
        ask,
        where,
        { ...init, headers, ...(credentials && { credentials }) },
        this.#options,
      )
    ).response;
  }

  async #json<T>(endpoint: EndpointPath, init?: RequestInit): Promise<T> {
    const response = await this.#fetch(endpoint, init);
    return answerOf(response.status, response.headers, await response.text());
  }

  async #upload<T>(path: string, form: FormData, options: UploadOptions): Promise<T> {
    const headers = await this.#headers(undefined);
    const { credentials, fetch: ask = fetch, origins } = this.#options;
    const within: typeof fetch = async (url, init) =>
      (await fetchWithin(String(url), ask, String(url), init!, { origins })).response;
    const answer = await sendForm(
      below(this.#base, path).href,
      form,
      headers,
      ask === globalThis.fetch,
      within,
      credentials,
      options,
    );
    return answerOf(answer.status, answer.headers, answer.body);
  }

  /**
   * Sends a request, and repeats it until it succeeds, cannot succeed, or the attempts are used up.
   */
  async #again<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    const home = coreWith("RawBackoff", "runs");
    const backoff = home.run(() => new home.bindings.RawBackoff(...retriesOf(this.#options)));
    try {
      for (;;) {
        try {
          return await ask();
        } catch (error) {
          const requested = isTemporary(error) ? waitOf(error) : undefined;
          const wait =
            requested === undefined ? undefined : home.run(() => backoff.next(requested));
          if (wait === undefined || signal?.aborted) {
            throw error instanceof AgentwireError || signal?.aborted
              ? error
              : new ConnectionError(error, undefined);
          }
          await pause(wait, signal);
        }
      }
    } finally {
      home.free(backoff);
    }
  }
}

/** An endpoint: its path below the base address, and its query. */
interface EndpointPath {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Returns an endpoint of a thread. */
function ofThread(threadId: string, path = "", query: EndpointPath["query"] = {}): EndpointPath {
  return { path: `/runs/${segment("`threadId`", threadId)}${path}`, query };
}

function answerOf<T>(status: number, headers: Headers, body: string): T {
  if (status < 200 || status > 299) {
    throw new HttpError(status, headers, body.slice(0, 64 * 1024));
  }
  return parseJson(body) as T;
}

/** Whether the thread has an active run. */
function isBusy(error: unknown): boolean {
  const { code } = Object(error instanceof HttpError && error.json) as { readonly code?: unknown };
  return code === "AGENT_SESSION_RUN_LIMIT_EXCEEDED";
}

/** Whether the same request can succeed later. */
function isTemporary(error: unknown): boolean {
  return error instanceof HttpError
    ? [408, 425, 429, 500, 502, 503, 504].includes(error.status)
    : !(error instanceof AgentwireError);
}
