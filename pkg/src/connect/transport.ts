// The requests of a chat, and the streams of their responses.

import type { AnyProtocol, Snapshots, Outcome, Protocol } from "../core/outcome.js";
import { loaded } from "../core/wasm.js";
import { requestTo } from "../http/address.js";
import { setHeaders } from "../http/headers.js";
import { addressOf, send } from "../http/origin.js";
import { type AgentStream, type ReadOptions, streamOf } from "../read/read.js";
import type { Dialect, ExchangeToSend, ExchangeRequest } from "./dialect.js";
import type { Exchange } from "./exchange.js";
import type { AllOptions } from "./options.js";

/** How one request is sent. */
export interface Sending {
  readonly signal: AbortSignal;
  /** Whether the answer is to continue after a lost connection. */
  readonly isResumable: boolean;
  /**
   * Called with the response, and with the address from which its stream can be read again, if the
   * server has one.
   */
  responded(resumeUrl: string | undefined): void;
}

export class Transport<P extends Protocol, O extends AllOptions<P>> {
  readonly #dialect: Dialect<P, O>;
  readonly #url: string | URL;

  constructor(dialect: Dialect<P, O>, url: string | URL) {
    this.#dialect = dialect;
    this.#url = url;
  }

  /** Sends the request of an exchange. */
  async open(
    exchange: ExchangeToSend<Snapshots[P]["answer"]>,
    options: O,
    sending: Sending,
  ): Promise<AgentStream<P>> {
    await loaded(this.#dialect.reads);
    const { signal } = sending;
    const prepared = this.#dialect.request(this.#url, exchange, options, { signal });
    // An error of the function is one of the options, not of the connection.
    await addHeaders(prepared.request, options);
    // The request is sent when its thread has been taken as a whole.
    const { promise, resolve } = deferred<Response>();
    const stream = this.#stream(promise, prepared, options, signal);
    resolve(this.#answer(prepared, options, sending, exchange.requestId));
    if (this.#dialect.cancellation !== undefined) {
      signal.addEventListener("abort", () => void this.#cancel(stream, options), { once: true });
    }
    return stream;
  }

  /** Returns whether an answer can be read again. */
  canResume({ resumeUrl }: Pick<Exchange<unknown>, "resumeUrl">): boolean {
    return resumeUrl !== undefined || this.#dialect.resumption !== undefined;
  }

  /**
   * Reads an answer from its beginning; undefined if the protocol and the server offer none. `sent`
   * is what its request had.
   */
  async resume(
    exchange: Exchange<Snapshots[P]["answer"]>,
    sent: ExchangeToSend<Snapshots[P]["answer"]>,
    options: O,
    { signal, responded }: Omit<Sending, "isResumable">,
  ): Promise<AgentStream<P> | undefined> {
    await loaded(this.#dialect.reads);
    const { resumeUrl } = exchange;
    const request =
      resumeUrl === undefined
        ? this.#dialect.resumption?.(this.#url, exchange, sent.conversationId, options, { signal })
        : requestTo(resumeUrl, {
            headers: { accept: "text/event-stream" },
            signal,
            cache: "no-store",
            redirect: "manual",
          });
    if (request === undefined) {
      return undefined;
    }
    // The answer is read as the first time: in AG-UI it continues the thread.
    const { read, received = asIs } = this.#dialect.request(this.#url, sent, options, {});
    const response = this.#send(request, options).then((response) => {
      responded(resumeUrl ?? resumeUrlOf(response, request.url));
      return received(response);
    });
    return this.#stream(response, { ...(read && { read }) }, options, signal);
  }

  /** Stops an agent that continues without a reader. */
  async end(resumeUrl: string, options: O): Promise<void> {
    try {
      await (
        await this.#send(
          this.#dialect.ending?.(resumeUrl, {}) ??
            requestTo(resumeUrl, { method: "DELETE", redirect: "manual" }),
          options,
        )
      ).body?.cancel();
    } catch {
      // The client has stopped the run in any case.
    }
  }

  #stream(
    response: Promise<Response>,
    prepared: Pick<ExchangeRequest, "read">,
    options: O,
    signal: AbortSignal,
  ): AgentStream<P> {
    const reading = {
      ...options.read,
      ...prepared.read,
      protocol: this.#dialect.protocol,
      signal,
    } as ReadOptions<AnyProtocol>;
    return streamOf<P>(this.#dialect.reads, response, reading);
  }

  async #answer(
    { request, answered, received = asIs, resumeUrl }: ExchangeRequest,
    options: O,
    { isResumable, responded }: Sending,
    requestId: string,
  ): Promise<Response> {
    if (isResumable) {
      // A server that knows the key starts no second run.
      setHeaders(request.headers, { prefer: "resumable", "idempotency-key": requestId });
    }
    const response = await fetched(request, options);
    responded(resumeUrl ?? (isResumable ? resumeUrlOf(response, request.url) : undefined));
    return received(
      answered === undefined
        ? response
        : await answered(response, (next) => this.#send(next, options)),
    );
  }

  /** Sends a request with the headers of the options. */
  async #send(request: Request, options: O): Promise<Response> {
    await addHeaders(request, options);
    return fetched(request, options);
  }

  /** Stops the agent's work in protocols where closing the connection does not. */
  async #cancel(stream: AgentStream<P>, options: O): Promise<void> {
    try {
      const { snapshot, report } = (await stream.cancel()) as Outcome<Protocol>;
      const request =
        report.endReason === "aborted" &&
        this.#dialect.cancellation!(this.#url, snapshot as Snapshots[P]["answer"], options, {});
      await (request && (await this.#send(request, options)).body?.cancel());
    } catch {
      // The client has stopped the run in any case.
    }
  }
}

function asIs(response: Response): Response {
  return response;
}

type SendingOptions = Pick<
  AllOptions<Protocol>,
  "headers" | "credentials" | "followRedirects" | "fetch"
>;

async function addHeaders(request: Request, { headers }: SendingOptions): Promise<void> {
  setHeaders(request.headers, typeof headers === "function" ? await headers() : headers);
}

async function fetched(
  request: Request,
  { credentials, followRedirects, fetch = globalThis.fetch }: SendingOptions,
): Promise<Response> {
  // The run may have been stopped while its headers were awaited. Functions in place of `fetch` can
  // ignore the signal.
  request.signal.throwIfAborted();
  return send(request, (each) => fetch(each, credentials && { credentials }), followRedirects);
}

/**
 * Returns the address of a resumable response. One of another origin is not followed: it would
 * receive the headers of the options.
 */
function resumeUrlOf(response: Response, asked: string): string | undefined {
  const isOffered = /(^|[\s,])resumable\b/i.test(response.headers.get("preference-applied") ?? "");
  if (!response.ok || !isOffered || !response.headers.has("content-location")) {
    return undefined;
  }
  const base = response.url || asked;
  const url = addressOf(response, "content-location", base);
  return url.origin === new URL(base).origin ? url.href : undefined;
}

function deferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
} {
  let resolve!: (value: T | PromiseLike<T>) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
