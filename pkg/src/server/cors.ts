// Cross-origin access to a handler.

import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { REQUEST_ID } from "../http/context.js";
import { LOSSES } from "../emit/run_losses.js";

/** The options of `withCors`. All are optional. */
export interface CorsOptions {
  /**
   * The allowed origins, such as `https://app.example`, or a function that returns whether an
   * origin is allowed. `*`, which allows all, by default.
   */
  readonly origin?: string | readonly string[] | ((origin: string) => boolean) | undefined;
  /**
   * Whether requests may contain the browser's cookies and `authorization`: false by default. Not
   * allowed with `*`.
   */
  readonly credentials?: boolean | undefined;
  /** The allowed methods: GET and POST by default. */
  readonly methods?: readonly string[] | undefined;
  /** The allowed request headers; by default those that the page requests. */
  readonly allowHeaders?: readonly string[] | undefined;
  /**
   * The response headers that a page can read: `x-request-id` and `agentwire-losses` by default.
   */
  readonly exposeHeaders?: readonly string[] | undefined;
  /**
   * The seconds for which a browser may cache a preflight response: 7200 by default, the maximum in
   * Chromium.
   */
  readonly maxAgeSeconds?: number | undefined;
}

type Handler<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | PromiseLike<Response>;

/**
 * Returns a handler that answers preflight requests, and adds the CORS headers to the responses of
 * another handler.
 *
 * ```js
 * export default { fetch: withCors((request) => respond(request, { protocol: "agent-api" }, agent), { origin: "https://app.example" }) };
 * ```
 *
 * It rejects no request: the browser keeps the response from pages of other origins.
 *
 * @throws AgentwireError `wrong-option`
 */
export function withCors<Rest extends unknown[]>(
  handler: Handler<Rest>,
  options: CorsOptions = {},
): (request: Request, ...rest: Rest) => Promise<Response> {
  const { origin = "*", credentials = false, maxAgeSeconds: maxAge = 7200 } = options;
  knownOptions("CORS", options, [
    "origin",
    "credentials",
    "methods",
    "allowHeaders",
    "exposeHeaders",
    "maxAgeSeconds",
  ]);
  must(
    origin !== "*" || !credentials,
    "wrong-option",
    "browsers reject `credentials` with the origin `*`: list the origins",
  );
  const isOrigin =
    typeof origin === "string" || typeof origin === "function" || Array.isArray(origin);
  must(
    isOrigin,
    "wrong-option",
    "option `origin` is an origin, a list of origins, or a function that returns whether one is allowed",
  );
  must(
    Number.isInteger(maxAge) && maxAge >= 0,
    "wrong-option",
    "option `maxAgeSeconds` is a number of seconds",
  );
  const methods = (options.methods ?? ["GET", "POST"]).join(", ");
  const exposed = (options.exposeHeaders ?? [REQUEST_ID, LOSSES]).join(", ");
  /**
   * Returns the CORS headers for an origin, without permissions if it is not allowed. `vary` is
   * always set, for caches.
   */
  const headersFor = (request: Request): [name: string, value: string][] => {
    if (origin === "*") {
      return [["access-control-allow-origin", "*"]];
    }
    const from = request.headers.get("origin");
    const vary: [string, string] = ["vary", "origin"];
    if (from === null || !allowsOrigin(origin, from)) {
      return [vary];
    }
    const allowed: [string, string] = ["access-control-allow-origin", from];
    return credentials
      ? [vary, allowed, ["access-control-allow-credentials", "true"]]
      : [vary, allowed];
  };

  const preflight = (request: Request): Response => {
    const headers = new Headers(headersFor(request));
    const requested = request.headers.get("access-control-request-headers");
    const allowed = options.allowHeaders?.join(", ") ?? requested;
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
    // The response that opens a socket cannot be copied, and needs no permission.
    if (answer.status === 101) {
      return answer;
    }
    const more = headersFor(request);
    if (exposed !== "") {
      more.push(["access-control-expose-headers", exposed]);
    }
    return withHeaders(answer, more);
  };
}

/** Returns whether the option `origin` allows the pages of an origin. */
export function allowsOrigin(origin: NonNullable<CorsOptions["origin"]>, from: string): boolean {
  if (typeof origin === "function") {
    return origin(from);
  }
  return typeof origin === "string" ? origin === "*" || origin === from : origin.includes(from);
}

/**
 * Returns the response with additional headers. The headers of a fetched response are immutable, so
 * it is copied if necessary.
 */
function withHeaders(answer: Response, more: readonly [name: string, value: string][]): Response {
  const add = (headers: Headers): void =>
    more.forEach(([name, value]) =>
      name === "vary" ? headers.append(name, value) : headers.set(name, value),
    );
  try {
    add(answer.headers);
    return answer;
  } catch {
    const headers = new Headers(answer.headers);
    add(headers);
    return new Response(answer.body, {
      status: answer.status,
      statusText: answer.statusText,
      headers,
    });
  }
}
