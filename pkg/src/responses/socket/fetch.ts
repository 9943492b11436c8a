// Responses over WebSocket, for clients: a function in place of `fetch`, so that `connect`,
// `callModel` and `runTools` use sockets without a change. Only the framing differs from HTTP.

import { knownOptions } from "../../core/arguments.js";
import { must } from "../../core/errors.js";
import { parseJson, stringifyJson } from "../../core/json.js";
import type { HeadersLike } from "../../core/platform.js";
import { mayEnd } from "./events.js";

/** The used part of a client's WebSocket. */
export interface ClientSocket {
  readonly readyState: number;
  send(text: string): unknown;
  close(code?: number, reason?: string): unknown;
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: any) => void,
  ): unknown;
}

/** The options of `socketFetch`. All are optional. */
export interface SocketFetchOptions {
  /**
   * The class of sockets: that of the platform by default. Headers, such as `authorization`, need
   * one whose second argument can have them: that of Node 22, of Bun, or of the package `ws`. Pages
   * cannot set headers of sockets.
   */
  readonly WebSocket?: (new (url: string, options?: any) => ClientSocket) | undefined;
  /** Further headers of the handshake. */
  readonly headers?: HeadersLike | undefined;
  /**
   * The bytes of an answer that wait to be read: 16 MiB by default. Sockets cannot be slowed down, so
   * an answer that exceeds them fails, and its socket is closed with 1009.
   */
  readonly maxBufferedBytes?: number | undefined;
  /** Sends all other requests; the platform's `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** A function in place of `fetch`. */
export interface SocketFetch {
  (request: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Closes the sockets that are not in use. */
  close(): void;
}

/** The number of unused sockets that stay open. */
const MOST_IDLE = 2;
const OPEN = 1;

/**
 * Returns a function in place of `fetch` that sends requests of OpenAI Responses over WebSockets:
 * `POST …/responses` with `stream: true`. Its responses are streams of server-sent events, or the
 * error of the server with its status. A socket is used for one request at a time, and again for
 * the next one. Aborting a request closes its socket.
 *
 * ```js
 * const chat = connect("https://api.example/v1/responses", { protocol: "responses", fetch: socketFetch() });
 * ```
 *
 * @throws AgentwireError `wrong-option`
 */
export function socketFetch(options: SocketFetchOptions = {}): SocketFetch {
  knownOptions("socketFetch()", options, ["WebSocket", "headers", "maxBufferedBytes", "fetch"]);
  const {
    WebSocket = (globalThis as { WebSocket?: SocketFetchOptions["WebSocket"] }).WebSocket,
    headers: more = {},
    maxBufferedBytes = 16 << 20,
    fetch = globalThis.fetch,
  } = options;
  must(
    WebSocket !== undefined,
    "wrong-option",
    "this platform has no WebSocket: pass a class, such as that of `ws`",
  );
  const idle = new Map<string, AnsweringSocket[]>();

  const take = (url: string, headers: Headers): AnsweringSocket => {
    const key = JSON.stringify([url, ...headers]);
    const unused = idle.get(key)?.pop();
    if (unused?.isOpen) {
      return unused;
    }
    const given = Object.fromEntries(headers);
    const socket =
      Object.keys(given).length > 0 ? new WebSocket(url, { headers: given }) : new WebSocket(url);
    return new AnsweringSocket(socket, maxBufferedBytes, (free) => {
      const waiting = idle.get(key) ?? [];
      if (waiting.length >= MOST_IDLE) {
        return free.close();
      }
      idle.set(key, [...waiting, free]);
    });
  };

  const ask = async (given: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(given, init);
    const body = isOfResponses(request) ? parseJson(await request.clone().text()) : undefined;
    const { stream, background: _, ...rest } = Object(body) as Readonly<Record<string, unknown>>;
    if (stream !== true) {
      return fetch(request);
    }
    const url = new URL(request.url);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const headers = new Headers(more);
    for (const [name, value] of request.headers) {
      if (!OF_HTTP.test(name)) headers.set(name, value);
    }
    const message = stringifyJson({ type: "response.create", ...rest });
    return take(url.href, headers).answer(message, request.signal);
  };
  return Object.assign(ask, {
    close() {
      for (const sockets of idle.values()) sockets.forEach((socket) => socket.close());
      idle.clear();
    },
  });
}

/** The headers that belong to the body of a request. */
const OF_HTTP = /^(content-.*|accept|accept-encoding|connection|host|transfer-encoding)$/i;

function isOfResponses({ method, url }: Request): boolean {
  return method === "POST" && new URL(url).pathname.endsWith("/responses");
}

/** The receiver of the messages of one answer. */
interface Receiver {
  message(data: string): void;
  fail(error: Error): void;
}

class AnsweringSocket {
  #receiver: Receiver | undefined;
  readonly #opened: Promise<void>;

  constructor(
    readonly socket: ClientSocket,
    readonly most: number,
    readonly free: (socket: AnsweringSocket) => void,
  ) {
    this.#opened = new Promise((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      const end = (event: {
        readonly code?: number;
        readonly reason?: string;
        readonly message?: string;
      }): void => {
        const why =
          event.reason || event.message || (event.code && `code ${event.code}`) || "no reason";
        const error = new TypeError(`the socket was closed: ${why}`);
        reject(error);
        this.#receiver?.fail(error);
      };
      socket.addEventListener("close", end);
      socket.addEventListener("error", end);
    });
    this.#opened.catch(() => {});
    socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
      if (typeof data === "string") this.#receiver?.message(data);
    });
  }

  get isOpen(): boolean {
    return this.socket.readyState === OPEN;
  }

  close(): void {
    this.socket.close(1000);
  }

  /** Sends a request. Resolves at its first event, to a stream or to the error of the server. */
  async answer(message: string, signal: AbortSignal): Promise<Response> {
    const stop = (): void => {
      this.#receiver?.fail(signal.reason as Error);
      this.socket.close(1000);
    };
    signal.addEventListener("abort", stop);
    try {
      signal.throwIfAborted();
      await this.#opened;
      signal.throwIfAborted();
    } catch (error) {
      this.socket.close(1000);
      throw error;
    }
    return new Promise((resolve, reject) => {
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
      let waits = false;
      const done = (): void => {
        this.#receiver = undefined;
        signal.removeEventListener("abort", stop);
        if (this.isOpen) this.free(this);
      };
      const body = (): ReadableStream<Uint8Array> =>
        new ReadableStream<Uint8Array>(
          { start: (controller) => void (stream = controller), cancel: stop },
          { highWaterMark: this.most, size: (chunk) => chunk?.byteLength ?? 0 },
        );
      this.#receiver = {
        message: (data) => {
          const ends = mayEnd(data);
          if (stream === undefined) {
            const refused = ends ? refusalOf(data) : undefined;
            const headers = { "content-type": refused ? "application/json" : "text/event-stream" };
            resolve(
              new Response(refused?.body ?? body(), { status: refused?.status ?? 200, headers }),
            );
            if (refused !== undefined) return done();
          }
          stream!.enqueue(ENCODER.encode(`data: ${data}\n\n`));
          waits = ends && isSteered(data);
          if (ends && !waits) {
            stream!.close();
            done();
          } else if ((stream!.desiredSize ?? 0) <= 0) {
            const error = new TypeError("the answer is not read: too much of it waits");
            this.#receiver?.fail(error);
            this.socket.close(1009, "the client does not read");
          }
        },
        fail: (error) => {
          this.#receiver = undefined;
          signal.removeEventListener("abort", stop);
          // Another response should have followed, and the stream is whole without it.
          if (waits) stream?.close();
          else stream?.error(error);
          reject(error);
        },
      };
      this.socket.send(message);
    });
  }
}

const ENCODER = new TextEncoder();

/** Returns the response to a request that was refused: an `error` event with the status. */
function refusalOf(data: string): { readonly status: number; readonly body: string } | undefined {
  const { type, status, error } = parseJson(data) as Readonly<Record<string, unknown>>;
  const isRefusal = type === "error" && typeof status === "number" && status >= 400 && status < 600;
  return isRefusal ? { status, body: stringifyJson({ error }) } : undefined;
}

/** Whether input has stopped the response: another one follows. */
function isSteered(data: string): boolean {
  const { response } = parseJson(data) as {
    response?: { incomplete_details?: { reason?: unknown } };
  };
  return response?.incomplete_details?.reason === "steered";
}
