// Responses over WebSocket, for servers: each `response.create` is a request to the handler, and the
// events of its response are messages. Only the framing differs from HTTP.

import { knownOptions } from "../../core/arguments.js";
import { must } from "../../core/errors.js";
import { excerpt } from "../../core/excerpt.js";
import { parseJson, stringifyJson } from "../../core/json.js";
import { pause } from "../../core/timers.js";
import { type Body, EventData, type Lane, errorEvent, inLane } from "./events.js";
import { PreviousResponses } from "./previous.js";

/** The used part of a server's WebSocket: that of Workers, Deno and the package `ws`. */
export interface ServerSocket {
  /** 1 while it is open. */
  readonly readyState: number;
  /** The bytes that have not been sent, where the platform knows them. */
  readonly bufferedAmount?: number | undefined;
  send(text: string): unknown;
  close(code?: number, reason?: string): unknown;
  addEventListener(type: "message" | "close" | "error", listener: (event: any) => void): unknown;
}

/** The request that opened a socket: of the platform, or Node's `IncomingMessage`. */
export type UpgradeRequest =
  | Request
  | {
      readonly url?: string | undefined;
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    };

/** The limits of a socket. All are optional. */
export interface SocketLimits {
  /** The size of a message of the client: 1 MiB by default. A larger one closes the socket with 1009. */
  readonly maxMessageBytes?: number | undefined;
  /** The number of responses at once, each with a `stream_id` of its own: 8 by default. */
  readonly maxResponses?: number | undefined;
  /**
   * The bytes that wait for a client that does not read: 1 MiB by default. Above it, no more of the
   * response is read until the client has caught up; after a minute the socket is closed with 1013.
   */
  readonly maxBufferedBytes?: number | undefined;
}

const LIMITS = { maxMessageBytes: 1 << 20, maxResponses: 8, maxBufferedBytes: 1 << 20 };
/** The milliseconds that a client has to catch up. */
const CATCH_UP = 60_000;
const OPEN = 1;

/** The headers of the handshake that are not those of a request. */
const OF_HANDSHAKE =
  /^(connection|upgrade|host|content-length|transfer-encoding|sec-websocket-.*)$/i;

/**
 * Serves OpenAI Responses on an open WebSocket. `handler` is that of `createHandler`, or another one
 * that answers `POST` requests of Responses; each request has the headers of the one that opened the
 * socket. Where the platform upgrades by itself (Workers, Deno), `createHandler` does all of this; in
 * Node pass the sockets of `ws`:
 *
 * ```js
 * const sockets = new WebSocketServer({ server, path: "/v1/responses", maxPayload: 1 << 20 });
 * sockets.on("connection", (socket, request) => serveSocket(handler, socket, request));
 * ```
 *
 * A request can continue the last response of its `stream_id` by `previous_response_id`, also if
 * the server stores none. `response.steer` is refused with `steering_not_supported`.
 *
 * @throws AgentwireError `wrong-argument`, `wrong-option`
 */
export function serveSocket(
  handler: (request: Request) => Response | PromiseLike<Response>,
  socket: ServerSocket,
  request: UpgradeRequest,
  limits: SocketLimits = {},
): void {
  must(
    typeof handler === "function" && typeof Object(socket).addEventListener === "function",
    "wrong-argument",
    "serveSocket() takes a handler, an open WebSocket and the request that opened it",
  );
  knownOptions("serveSocket()", limits, Object.keys(LIMITS));
  new ServedSocket(handler, socket, handshakeOf(request), { ...LIMITS, ...limits }).listen();
}

/** The address and the headers of the requests of a socket. */
interface Handshake {
  readonly url: string;
  readonly headers: Headers;
}

function handshakeOf(request: UpgradeRequest): Handshake {
  const headers = new Headers();
  const given: readonly (readonly [string, string])[] =
    request.headers instanceof Headers
      ? [...request.headers]
      : Object.entries(request.headers).map(([name, value]) => [name, String(value ?? "")]);
  for (const [name, value] of given) {
    if (!OF_HANDSHAKE.test(name) && !name.startsWith(":")) {
      headers.set(name, value);
    }
  }
  headers.set("content-type", "application/json");
  headers.set("accept", "text/event-stream");
  const host = given.find(([name]) => name.toLowerCase() === "host")?.[1];
  const url = new URL(request.url ?? "/v1/responses", `http://${host ?? "localhost"}`);
  url.protocol = url.protocol.replace(/^ws/, "http");
  return { url: url.href, headers };
}

class ServedSocket {
  readonly #closed = new AbortController();
  readonly #running = new Set<Lane>();
  readonly #previous = new PreviousResponses();

  constructor(
    readonly handler: (request: Request) => Response | PromiseLike<Response>,
    readonly socket: ServerSocket,
    readonly handshake: Handshake,
    readonly limits: { readonly [name in keyof typeof LIMITS]: number | undefined },
  ) {}

  listen(): void {
    const close = (): void => this.#closed.abort(new Error("the client has disconnected"));
    this.socket.addEventListener("close", close);
    this.socket.addEventListener("error", close);
    this.socket.addEventListener("message", ({ data }: { data: unknown }) => this.#receive(data));
  }

  #receive(data: unknown): void {
    if (typeof data !== "string") {
      return this.#close(1003, "messages are JSON texts");
    }
    if (isLonger(data, this.limits.maxMessageBytes ?? LIMITS.maxMessageBytes)) {
      return this.#close(1009, "the message is too large");
    }
    let event: Event;
    try {
      event = Object(parseJson(data)) as Event;
    } catch {
      return this.#refuse("invalid_json", "The message is not JSON.", undefined);
    }
    const { type, stream_id: id, ...body } = event;
    const lane = typeof id === "string" ? id : undefined;
    if (type === "response.steer") {
      return this.#send(steerRefused(body));
    }
    if (type !== "response.create") {
      const message = `Unknown event '${excerpt(String(type))}'. Supported are 'response.create' and 'response.steer'.`;
      return this.#refuse("unknown_event", message, lane);
    }
    if (this.#running.has(lane)) {
      const message = "A response is in progress. Wait for its end, or use another `stream_id`.";
      return this.#refuse("response_in_progress", message, lane);
    }
    if (this.#running.size >= (this.limits.maxResponses ?? LIMITS.maxResponses)) {
      return this.#refuse("too_many_responses", "Too many responses are in progress.", lane);
    }
    this.#running.add(lane);
    void this.#respond(body, lane).finally(() => this.#running.delete(lane));
  }

  /** Sends the events of the response to one request. */
  async #respond(body: Body, lane: Lane): Promise<void> {
    try {
      if (body["generate"] === false) {
        return this.#previous.prepare(body, lane).forEach((data) => this.#send(data));
      }
      const { generate: _, ...asked } = body;
      const whole = this.#previous.restored(asked, lane);
      const response = await this.handler(
        new Request(this.handshake.url, {
          method: "POST",
          headers: this.handshake.headers,
          body: stringifyJson({ ...whole, stream: true }),
          signal: this.#closed.signal,
        }),
      );
      if (!response.ok || response.body === null) {
        this.#previous.forget(lane);
        return this.#send(errorEvent(response.status, await errorOf(response), lane));
      }
      await this.#forward(response.body, whole, lane);
    } catch {
      this.#previous.forget(lane);
      if (!this.#closed.signal.aborted) {
        const error = {
          type: "server_error",
          code: "server_error",
          message: "The response failed.",
        };
        this.#send(errorEvent(500, error, lane));
      }
    }
  }

  async #forward(stream: ReadableStream<Uint8Array>, asked: Body, lane: Lane): Promise<void> {
    const events = new EventData();
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        for (const data of events.push(value)) {
          this.#previous.keep(data, asked, lane);
          this.#send(inLane(data, lane));
        }
        // It is being closed: nothing more is sent, so that nothing would slow the agent down.
        if (this.socket.readyState !== OPEN) {
          return this.#closed.abort(new Error("the client has disconnected"));
        }
        if (!(await this.#drained())) {
          return this.#close(1013, "the client does not read");
        }
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** Resolves when little waits for the client: to false if it does not read. */
  async #drained(): Promise<boolean> {
    const most = this.limits.maxBufferedBytes ?? LIMITS.maxBufferedBytes;
    for (let waited = 0; (this.socket.bufferedAmount ?? 0) > most; waited += 20) {
      if (waited >= CATCH_UP) return false;
      await pause(20, this.#closed.signal);
      if (this.#closed.signal.aborted) return true;
    }
    return true;
  }

  #refuse(code: string, message: string, lane: Lane): void {
    this.#send(
      errorEvent(400, { type: "invalid_request_error", code, message, param: null }, lane),
    );
  }

  #send(data: string): void {
    if (this.socket.readyState === OPEN) {
      this.socket.send(data);
    }
  }

  #close(code: number, reason: string): void {
    this.#closed.abort(new Error(reason));
    this.socket.close(code, reason);
  }
}

type Event = Body & { readonly type?: unknown; readonly stream_id?: unknown };

/** Whether a text has more bytes. */
function isLonger(text: string, bytes: number): boolean {
  const isNear = text.length <= bytes && text.length * 3 > bytes;
  return text.length > bytes || (isNear && new TextEncoder().encode(text).length > bytes);
}

/** Returns the error of a response that is no stream. */
async function errorOf(response: Response): Promise<object> {
  const text = await response.text();
  try {
    const { error } = parseJson(text) as { error?: object };
    if (typeof error === "object" && error !== null) return error;
  } catch {
    // No JSON.
  }
  const type = response.status >= 500 ? "server_error" : "invalid_request_error";
  return { type, code: null, message: excerpt(text), param: null };
}

function steerRefused({ input, previous_response_id: id }: Body): string {
  return stringifyJson({
    type: "response.steer.failed",
    sequence_number: 0,
    steer: { previous_response_id: id ?? "", input: input ?? "" },
    error: {
      type: "invalid_request_error",
      code: "steering_not_supported",
      message: "Responses of this server cannot be steered.",
    },
  });
}
