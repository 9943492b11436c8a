// Asking by POST, in JSON.

import { requestTo } from "./address.js";
import { stringifyJson } from "./json.js";
import type { HeadersLike } from "./platform.js";

/** How a question travels. Everything is optional. */
export interface PostOptions {
  /** Headers besides those that the protocol wants, or in their place: `authorization`, for example. */
  readonly headers?: HeadersLike | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The names of these options. */
export const POST_OPTIONS: readonly string[] = ["headers", "signal"];

/** The request that posts this value, which JSON has. `own` are the headers that the protocol wants. */
export function post(url: string | URL, value: object, { headers: given, signal }: PostOptions, own: Readonly<Record<string, string>> = {}): Request {
  const headers = new Headers({ "content-type": "application/json", accept: "text/event-stream", ...own });
  new Headers(given).forEach((value, name) => headers.set(name, value));
  return requestTo(url, { method: "POST", headers, body: stringifyJson(value), signal: signal ?? null });
}
