// The public API of `agentwire/node`: a request handler as a listener for node:http, node:https,
// node:http2 and
// Express.

import { AgentwireError, isA, must } from "../core/errors.js";
import { knownOptions } from "../core/arguments.js";
import { errorHandler } from "../core/error_handler.js";
import { unref } from "../core/timers.js";

/** The used part of Node's `IncomingMessage` and of Express's request. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The URL with the path that a router has removed (Express). */
  readonly originalUrl?: string | undefined;
  readonly rawHeaders: readonly string[];
  /** The parsed body, if a middleware such as `express.json()` has read it. */
  readonly body?: unknown;
  readonly complete: boolean;
  readonly readableDidRead: boolean;
  on(event: string, listener: (...given: any[]) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** The used part of Node's `ServerResponse` and of Express's response. */
export interface NodeResponse {
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  setHeader(name: string, value: string | readonly string[]): unknown;
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(text?: string): unknown;
  destroy(): unknown;
  on(event: string, listener: (...given: any[]) => void): unknown;
  off(event: string, listener: (...given: any[]) => void): unknown;
}

/** The options of `toNodeListener`. All are optional. */
export interface NodeListenerOptions {
  /**
   * Called with an error of the handler, with that of a body that was read before, and with that of
   * a malformed address. By default the error is logged. It may be async: an exception of `onError`
   * is logged with `console.error`, and does not end the process.
   */
  readonly onError?: ((error: unknown) => unknown) | undefined;
}

/**
 * Returns a Node listener for a handler that takes a `Request` and returns a `Response`, such as
 * that of `createHandler`. It writes no faster than the client reads. When a client disconnects,
 * `signal` of the request aborts, and the body of the response is canceled.
 *
 * The body may have been parsed before, by `express.json()`, `express.text()` or `express.raw()`:
 * the handler then receives the `body` of the request. For a body that was read otherwise, the
 * response is a 500, and `onError` is called with an `AgentwireError` of code `body-used`.
 *
 * A malformed address is answered with 400, and a method that a `Request` cannot have (`TRACE`,
 * `CONNECT`) with 405. The returned function never throws or rejects.
 *
 * ```js
 * import { createServer } from "node:http";
 * import { toNodeListener } from "agentwire/node";
 *
 * createServer(toNodeListener(createHandler({ protocols: ["ag-ui"], agent }))).listen(8000, "127.0.0.1");
 * ```
 */
export function toNodeListener(
  handler: (request: Request) => Response | PromiseLike<Response>,
  options: NodeListenerOptions = {},
): (incoming: NodeRequest, outgoing: NodeResponse) => Promise<void> {
  must(
    typeof handler === "function",
    "wrong-argument",
    "toNodeListener() takes a function that returns a Response, such as that of `createHandler()`",
  );
  knownOptions("toNodeListener()", options, ["onError"]);
  const report = errorHandler("toNodeListener()", options.onError);
  return async (incoming, outgoing) => {
    const left = new AbortController();
    outgoing.on(
      "close",
      () => outgoing.writableFinished || left.abort(new Error("the client has disconnected")),
    );
    // An `error` event without a listener ends the process; `close` follows it.
    outgoing.on("error", () => {});
    let response: Response | undefined;
    try {
      if (FORBIDDEN.test(incoming.method ?? "")) {
        outgoing.statusCode = 405;
        outgoing.setHeader("allow", ALLOWED);
        outgoing.end();
        return;
      }
      response = await handler(requestOf(incoming, left.signal));
      await answer(response, incoming, outgoing, left.signal);
    } catch (error) {
      // It stays locked if it was being read, and has failed then.
      if (response?.body?.locked === false) {
        response.body.cancel(error).catch(() => {});
      }
      // A client that disconnects is not an error of the server.
      if (!left.signal.aborted) {
        report(error);
        if (outgoing.headersSent) {
          outgoing.destroy();
        } else {
          outgoing.statusCode = isA(error, AddressError) ? 400 : 500;
          outgoing.end();
        }
      }
    } finally {
      // The unread rest of the body is dropped, but only for a limited time.
      if (!incoming.complete) {
        incoming.resume();
        unref(setTimeout(() => incoming.complete || incoming.destroy(), REST));
      }
    }
  };
}

/** The milliseconds for which the rest of a body is read after the response. */
const REST = 1000;
/** The methods that a `Request` cannot have. */
const FORBIDDEN = /^(CONNECT|TRACE|TRACK)$/i;
/** The methods in the response to the others. */
const ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

function requestOf(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = "GET", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!name.startsWith(":")) {
      headers.append(name, rawHeaders[at + 1]!);
    }
  }
  const url = addressOf(incoming, headers);
  if (method === "GET" || method === "HEAD") {
    return new Request(url, { method, headers, signal });
  }
  if (!incoming.readableDidRead) {
    return new Request(url, {
      method,
      headers,
      signal,
      body: bodyOf(incoming),
      duplex: "half",
    } as RequestInit);
  }
  const { body } = incoming;
  const remedy =
    "put the agent before the middleware that reads it, or let that set `request.body`";
  must(
    body !== undefined,
    "body-used",
    `the body of the request was read before the agent: ${remedy}`,
  );
  ["content-length", "content-encoding", "transfer-encoding"].forEach((name) =>
    headers.delete(name),
  );
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return new Request(url, {
    method,
    headers,
    signal,
    body: isRaw ? (body as string) : JSON.stringify(body),
  });
}

function addressOf({ url = "/", originalUrl = url, ...rest }: NodeRequest, headers: Headers): URL {
  const { socket, authority } = rest as {
    readonly socket?: { readonly encrypted?: boolean };
    readonly authority?: string;
  };
  const base = `${socket?.encrypted ? "https" : "http"}://${headers.get("host") ?? authority ?? "localhost"}`;
  // A path that starts with two slashes is not a host.
  const address = originalUrl.startsWith("/")
    ? `${base}${originalUrl}`
    : originalUrl === "*"
      ? base
      : originalUrl;
  try {
    const url = new URL(address);
    // A `Request` has no credentials in its address.
    must(
      /^https?:$/.test(url.protocol) && url.username === "" && url.password === "",
      "wrong-argument",
      "it has another scheme, or credentials",
    );
    return url;
  } catch (cause) {
    throw new AddressError("wrong-argument", "the address of the request is malformed", { cause });
  }
}

/** The address of a request is malformed: its path, or its `host`. */
class AddressError extends AgentwireError {}

/** Returns the body as a stream with backpressure. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const over = (conclude: () => void) => () => {
          if (!isOver) {
            isOver = true;
            conclude();
          }
        };
        incoming.on("data", (chunk: Uint8Array) => {
          if (!isOver) {
            controller.enqueue(chunk);
            incoming.pause();
          }
        });
        incoming.pause();
        incoming.on(
          "end",
          over(() => controller.close()),
        );
        incoming.on("error", (error: unknown) => over(() => controller.error(error))());
        incoming.on(
          "close",
          over(() => controller.error(new Error("the client has disconnected"))),
        );
      },
      pull: () => void incoming.resume(),
      cancel() {
        isOver = true;
      },
    },
    { highWaterMark: 0 },
  );
}

async function answer(
  { status, headers, body }: Response,
  { method }: NodeRequest,
  outgoing: NodeResponse,
  left: AbortSignal,
): Promise<void> {
  outgoing.statusCode = status;
  headers.forEach((value, name) => name === "set-cookie" || outgoing.setHeader(name, value));
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) {
    outgoing.setHeader("set-cookie", cookies);
  }
  if (body === null || method === "HEAD") {
    void body?.cancel().catch(() => {});
    outgoing.end();
    return;
  }
  outgoing.flushHeaders?.();
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(left.reason).catch(() => {});
  left.addEventListener("abort", cancel);
  if (left.aborted) {
    cancel();
  }
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (left.aborted) {
        return;
      }
      if (done) {
        outgoing.end();
        return;
      }
      if (!outgoing.write(value)) {
        await waitForDrain(outgoing);
      }
    }
  } finally {
    left.removeEventListener("abort", cancel);
  }
}

/** Resolves when the output buffer is empty, or when the client has disconnected. */
function waitForDrain(outgoing: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
    if (outgoing.destroyed) {
      done();
    }
  });
}
