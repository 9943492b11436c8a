// POST requests with a JSON body.

import { requestTo } from "./address.js";
import { setHeaders } from "./headers.js";
import { stringifyJson } from "../core/json.js";
import type { HeadersLike } from "../core/platform.js";

/** The options of a request. All are optional. */
export interface PostOptions {
  /** Additional headers, for example `authorization`. They override those of the protocol. */
  readonly headers?: HeadersLike | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The names of {@link PostOptions}. */
export const POST_OPTIONS: readonly string[] = ["headers", "signal"];

/**
 * Creates the request that posts a JSON value. `own` are the headers of the protocol. The platform
 * does not follow its redirects: it would send the body and keys in headers to the server that a
 * redirect names.
 */
export function post(
  url: string | URL,
  value: object,
  { headers: requestHeaders, signal }: PostOptions,
  own: Readonly<Record<string, string>> = {},
): Request {
  const headers = setHeaders(
    setHeaders(
      new Headers({ "content-type": "application/json", accept: "text/event-stream" }),
      own,
    ),
    requestHeaders,
  );
  return requestTo(url, {
    method: "POST",
    headers,
    body: stringifyJson(value),
    signal: signal ?? null,
    redirect: "manual",
  });
}

/**
 * Creates the request for a stream that exists. As for {@link post}, the platform does not follow
 * its redirects.
 */
export function getStream(
  url: string | URL,
  { headers: requestHeaders, signal }: PostOptions,
): Request {
  const headers = setHeaders(new Headers({ accept: "text/event-stream" }), requestHeaders);
  return requestTo(url, { headers, signal: signal ?? null, redirect: "manual" });
}
