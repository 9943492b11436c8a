// The public API of `agentwire/node`: a handler of requests as a listener of node:http, node:https, node:http2 and Express.

import { AgentwireError } from "./errors.js";
import { knownOptions } from "./option_names.js";

/** What is used of an `IncomingMessage` of Node, or of a request of Express. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Of Express: the address with the path that a router has taken off. */
  readonly originalUrl?: string | undefined;
  readonly rawHeaders: readonly string[];
  /** The body, where a middleware such as `express.json()` has parsed it. */
  readonly body?: unknown;
  readonly complete: boolean;
  readonly readableDidRead: boolean;
  on(event: string, listener: (...given: any[]) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** What is used of a `ServerResponse` of Node, or of a response of Express. */
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
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** The options of `toNodeListener`. Everything is optional. */
export interface NodeListenerOptions {
  /** Called with errors of the handler, and with a body that was read before. By default they are logged. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Returns a listener of Node for a handler that takes a `Request` and returns a `Response`, as `mount` makes it. It writes no faster than
 * the client reads. A client that disconnects aborts `signal` of the request, and cancels the body of the response.
 *
 * The body may have been parsed before, by `express.json()`, `express.text()` or `express.raw()`: then the handler receives `body` of
 * the request. A body that was read otherwise is answered with 500, and `onError` is called with an `AgentwireError` of code `body-used`.
 *
 * ```js
 * import { createServer } from "node:http";
 * import { toNodeListener } from "agentwire/node";
 *
 * createServer(toNodeListener(mount([agUiAdapter()], agent))).listen(8000, "127.0.0.1");
 * ```
 */
export function toNodeListener(
  handler: (request: Request) => Response | PromiseLike<Response>,
  options: NodeListenerOptions = {},
): (incoming: NodeRequest, outgoing: NodeResponse) => Promise<void> {
  if (typeof handler !== "function") {
    throw new AgentwireError("wrong-argument", "toNodeListener() takes a function that returns a Response: `mount(adapters, agent)` makes one");
  }
  knownOptions("toNodeListener()", options, ["onError"]);
  const { onError = (error) => console.error(error) } = options;
  return async (incoming, outgoing) => {
    const left = new AbortController();
    outgoing.on("close", () => outgoing.writableFinished || left.abort(new Error("the client has disconnected")));
    try {
      const response = await handler(requestOf(incoming, left.signal));
      await answer(response, incoming, outgoing, left.signal);
    } catch (error) {
      // A client that disconnects is not an error of the server.
      if (!left.signal.aborted) {
        onError(error);
        if (outgoing.headersSent) {
          outgoing.destroy();
        } else {
          outgoing.statusCode = isAddressError(error) ? 400 : 500;
          outgoing.end();
        }
      }
    } finally {
      // The rest of a body that the handler has not read is dropped, but not for long.
      if (!incoming.complete) {
        incoming.resume();
        const timer: unknown = setTimeout(() => incoming.complete || incoming.destroy(), REST);
        (timer as { unref?(): void }).unref?.();
      }
    }
  };
}

/** The milliseconds for which the rest of a body is read after the response. */
const REST = 1000;

function requestOf(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = "GET", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    name.startsWith(":") || headers.append(name, rawHeaders[at + 1]!);
  }
  const url = addressOf(incoming, headers);
  if (method === "GET" || method === "HEAD") {
    return new Request(url, { method, headers, signal });
  }
  if (!incoming.readableDidRead) {
    return new Request(url, { method, headers, signal, body: bodyOf(incoming), duplex: "half" } as RequestInit);
  }
  const { body } = incoming;
  if (body === undefined) {
    const remedy = "put the agent before the middleware that reads it, or let that set `request.body`";
    throw new AgentwireError("body-used", `the body of the request was read before the agent: ${remedy}`);
  }
  ["content-length", "content-encoding", "transfer-encoding"].forEach((name) => headers.delete(name));
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return new Request(url, { method, headers, signal, body: isRaw ? (body as string) : JSON.stringify(body) });
}

function addressOf({ url = "/", originalUrl = url, ...rest }: NodeRequest, headers: Headers): URL {
  const { socket, authority } = rest as { readonly socket?: { readonly encrypted?: boolean }; readonly authority?: string };
  const base = `${socket?.encrypted ? "https" : "http"}://${headers.get("host") ?? authority ?? "localhost"}`;
  // A path that begins with two slashes is still a path.
  const address = originalUrl.startsWith("/") ? `${base}${originalUrl}` : originalUrl === "*" ? base : originalUrl;
  try {
    return new URL(address);
  } catch (cause) {
    throw new AgentwireError("wrong-argument", "the address of the request is malformed", { cause });
  }
}

function isAddressError(error: unknown): boolean {
  return error instanceof AgentwireError && error.code === "wrong-argument" && error.message.startsWith("the address of the request");
}

/** The body as a stream that asks for no more than is read. */
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
        incoming.on("end", over(() => controller.close()));
        incoming.on("error", (error: unknown) => over(() => controller.error(error))());
        incoming.on("close", over(() => controller.error(new Error("the client has disconnected"))));
      },
      pull: () => void incoming.resume(),
      cancel() {
        isOver = true;
      },
    },
    { highWaterMark: 0 },
  );
}

async function answer({ status, headers, body }: Response, { method }: NodeRequest, outgoing: NodeResponse, left: AbortSignal): Promise<void> {
  outgoing.statusCode = status;
  headers.forEach((value, name) => name === "set-cookie" || outgoing.setHeader(name, value));
  const cookies = headers.getSetCookie();
  cookies.length > 0 && outgoing.setHeader("set-cookie", cookies);
  if (body === null || method === "HEAD") {
    void body?.cancel().catch(() => {});
    outgoing.end();
    return;
  }
  outgoing.flushHeaders?.();
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(left.reason).catch(() => {});
  left.addEventListener("abort", cancel);
  left.aborted && cancel();
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
      outgoing.write(value) || (await drained(outgoing));
    }
  } finally {
    left.removeEventListener("abort", cancel);
  }
}

/** Resolves when the client has read what was written, or has disconnected. */
function drained(outgoing: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
    outgoing.destroyed && done();
  });
}
