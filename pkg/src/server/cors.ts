// Letting pages of other origins read what a handler answers.

import { knownOptions } from "../option_names.js";
import { AgentwireError } from "../errors.js";
import { REQUEST_ID } from "./context.js";

/** Which pages may read the answers, and what they may send. Everything is optional. */
export interface CorsOptions {
  /** The origins of the pages, `https://app.example`; a function is asked about each. `*`, which is all, by default. */
  readonly origin?: string | readonly string[] | ((origin: string) => boolean) | undefined;
  /** Whether cookies and `authorization` of the browser may come along: false by default, and not with `*`. */
  readonly credentials?: boolean | undefined;
  /** The methods of the handler: GET and POST by default. */
  readonly methods?: readonly string[] | undefined;
  /** The headers that a page may send; by default those that it asks for. */
  readonly allowHeaders?: readonly string[] | undefined;
  /** The headers of an answer that a page may read: `x-request-id` by default. */
  readonly exposeHeaders?: readonly string[] | undefined;
  /** For how many seconds a browser need not ask again: 7200 by default, which is the most that Chromium takes. */
  readonly maxAgeSeconds?: number | undefined;
}

type Handler<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Response | PromiseLike<Response>;

/**
 * A handler that answers a browser's preflight request, and lets pages of other origins read what it answers.
 *
 * ```js
 * export default { fetch: withCors((request) => respond(request, {}, agent), { origin: "https://app.example" }) };
 * ```
 *
 * It refuses nothing: a page of another origin only cannot read the answer. Throws an `AgentwireError` with code
 * `wrong-option`.
 */
export function withCors<Rest extends unknown[]>(
  handler: Handler<Rest>,
  options: CorsOptions = {},
): (request: Request, ...rest: Rest) => Promise<Response> {
  const { origin = "*", credentials = false, maxAgeSeconds: maxAge = 7200 } = options;
  knownOptions("CORS", options, ["origin", "credentials", "methods", "allowHeaders", "exposeHeaders", "maxAgeSeconds"]);
  if (origin === "*" && credentials) {
    throw new AgentwireError("wrong-option", "browsers refuse `credentials` with the origin `*`: name the origins");
  }
  if (typeof origin !== "string" && typeof origin !== "function" && !Array.isArray(origin)) {
    throw new AgentwireError("wrong-option", "option `origin` is an origin, a list of them, or a function that is asked about one");
  }
  if (!Number.isInteger(maxAge) || maxAge < 0) {
    throw new AgentwireError("wrong-option", "option `maxAgeSeconds` is a number of seconds");
  }
  const methods = (options.methods ?? ["GET", "POST"]).join(", ");
  const exposed = (options.exposeHeaders ?? [REQUEST_ID]).join(", ");
  const isAllowed = (from: string): boolean =>
    typeof origin === "function" ? origin(from) : origin === from || (typeof origin !== "string" && origin.includes(from));

  /** The headers for a page; none for one that may not read. What they depend on is said in any case, for caches. */
  const headersFor = (request: Request): [name: string, value: string][] => {
    if (origin === "*") {
      return [["access-control-allow-origin", "*"]];
    }
    const from = request.headers.get("origin");
    const vary: [string, string] = ["vary", "origin"];
    if (from === null || !isAllowed(from)) {
      return [vary];
    }
    const allowed: [string, string] = ["access-control-allow-origin", from];
    return credentials ? [vary, allowed, ["access-control-allow-credentials", "true"]] : [vary, allowed];
  };

  const preflight = (request: Request): Response => {
    const headers = new Headers(headersFor(request));
    const asked = request.headers.get("access-control-request-headers");
    const allowed = options.allowHeaders?.join(", ") ?? asked;
    headers.set("access-control-allow-methods", methods);
    headers.set("access-control-max-age", String(maxAge));
    if (allowed !== null && allowed !== "") {
      headers.set("access-control-allow-headers", allowed);
    }
    if (options.allowHeaders === undefined) {
      headers.append("vary", "access-control-request-headers");
    }
    return new Response(null, { status: 204, headers });
  };

  return async (request, ...rest) => {
    if (request.method === "OPTIONS" && request.headers.has("access-control-request-method")) {
      return preflight(request);
    }
    const answer = await handler(request, ...rest);
    const more = headersFor(request);
    if (exposed !== "") {
      more.push(["access-control-expose-headers", exposed]);
    }
    return withHeaders(answer, more);
  };
}

/** The answer with more headers. Those of an answer that was fetched cannot be changed. */
function withHeaders(answer: Response, more: readonly [name: string, value: string][]): Response {
  const add = (headers: Headers): void =>
    more.forEach(([name, value]) => (name === "vary" ? headers.append(name, value) : headers.set(name, value)));
  try {
    add(answer.headers);
    return answer;
  } catch {
    const headers = new Headers(answer.headers);
    add(headers);
    return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
  }
}
