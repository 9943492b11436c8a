// A `fetch` that resumes the responses of any protocol after a lost connection.

import { requestTo } from "../http/address.js";
import { knownOptions } from "../core/arguments.js";
import { RESTART } from "../read/body.js";
import { ConnectionError } from "../core/errors.js";
import { uuid } from "../core/random.js";
import type { RunsClientOptions } from "./client.js";
import { type RetryOptions, RunSource } from "./run_source.js";
import { type OriginOptions, addressOf, fetchWithin } from "../http/origin.js";

/** The options of {@link resumableFetch}. Everything is optional. */
export interface ResumableOptions
  extends Pick<RunsClientOptions, "fetch">,
    RetryOptions,
    OriginOptions {}

/**
 * Returns a `fetch` for servers that offer resumable responses (`Prefer: resumable`). After a lost
 * connection, the body continues from the cursor. Use it with `read`, or with other clients that
 * accept a `fetch`.
 *
 * ```js
 * const run = read(resumableFetch()("/process", { method: "POST", headers: { "content-type": "application/json" }, body }));
 * ```
 *
 * Each POST has an `Idempotency-Key`: that of the request, or a new one. Responses that are
 * unsuccessful or not resumable are returned unchanged. If a lost response cannot be resumed, the
 * body fails with a `ConnectionError` or an `HttpError`; it also fails when its `signal` aborts.
 * Redirects and `Content-Location` are followed within the origin of the request; other origins
 * fail with the code `other-origin`, and an invalid address with `wrong-address`. Canceling the
 * body does not stop the agent; a DELETE request to the `Content-Location` of the response does.
 */
export function resumableFetch(options: ResumableOptions = {}): typeof fetch {
  knownOptions("resumableFetch()", options, [
    "fetch",
    "baseDelayMs",
    "maxDelayMs",
    "attempts",
    "idleTimeoutMs",
    "origins",
  ]);
  const { fetch: ask = fetch } = options;
  return async (input, init) => {
    const request = requestTo(input, init);
    const { headers, signal, method, redirect, credentials } = request;
    headers.set("prefer", [headers.get("prefer"), "resumable"].filter(Boolean).join(", "));
    if (!headers.has("idempotency-key")) {
      headers.set("idempotency-key", uuid());
    }
    // A redirect can require the body again.
    const body = request.body === null ? null : await request.arrayBuffer();
    const requestInit: RequestInit = {
      ...init,
      method,
      headers,
      body,
      signal,
      ...(credentials !== undefined && { credentials }),
    };
    const { response: first, url } =
      redirect === "follow"
        ? await fetchWithin(request.url, ask, request.url, requestInit, options)
        : { response: await ask(request.url, { ...requestInit, redirect }), url: request.url };
    const isOffered = /(^|[\s,])resumable\b/i.test(first.headers.get("preference-applied") ?? "");
    if (!first.ok || first.body === null || !first.headers.has("content-location") || !isOffered) {
      return first;
    }
    const later = addressOf(first, "content-location", url);
    let answer: Response | undefined = first;
    const connect = async (cursor: string | undefined, stopped: AbortSignal): Promise<Response> => {
      const resumed = answer;
      answer = undefined;
      if (resumed !== undefined) {
        return resumed;
      }
      const again = new Headers(headers);
      ["content-type", "content-length", "idempotency-key", "prefer"].forEach((name) =>
        again.delete(name),
      );
      again.set("accept", "text/event-stream");
      if (cursor === undefined) {
        again.delete("last-event-id");
      } else {
        again.set("last-event-id", cursor);
      }
      const how: RequestInit = {
        headers: again,
        signal: stopped,
        cache: "no-store",
        ...(credentials !== undefined && { credentials }),
      };
      return (await fetchWithin(request.url, ask, later, how, options)).response;
    };
    const source = new RunSource("", undefined, connect, options);
    const { status, statusText, headers: responseHeaders } = first;
    return new Response(bodyOf(source, signal), { status, statusText, headers: responseHeaders });
  };
}

function bodyOf(source: RunSource, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const leave = (): void => void chunks.return?.();
  return new ReadableStream({
    start: (out) =>
      signal.addEventListener("abort", () => {
        out.error(signal.reason);
        leave();
      }),
    async pull(out) {
      const { done, value } = await chunks.next();
      if (signal.aborted) {
        return;
      }
      if (value === RESTART) {
        leave();
        throw new ConnectionError("the service no longer has the events that were sent", undefined);
      }
      if (done) {
        out.close();
      } else {
        out.enqueue(value);
      }
    },
    cancel: leave,
  });
}
