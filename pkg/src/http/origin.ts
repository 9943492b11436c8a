// Keeps requests within the origin that they are meant for. A server can name any address in
// `Content-Location` or in a redirect; the credentials for the server (`authorization`, keys,
// cookies) are not sent to another origin.

import { absolute } from "./address.js";
import { AgentwireError, must } from "../core/errors.js";
import { isRedirect, refusedRedirect } from "../core/redirect.js";

/** The options for addresses that a server names. */
export interface OriginOptions {
  /**
   * Other origins that the server can name, for example `https://replica.example`. Empty by
   * default. They receive neither credentials nor the caller's own headers, and errors do not
   * contain their bodies.
   */
  readonly origins?: readonly string[] | undefined;
}

/** A response and the address that returned it. */
export interface LocatedResponse {
  readonly response: Response;
  readonly url: string;
}

/** The headers of a request that another origin can receive. */
const HARMLESS = [
  "accept",
  "accept-language",
  "content-type",
  "idempotency-key",
  "last-event-id",
  "prefer",
];
/** The maximum number of consecutive redirects, as in `fetch`. */
const MAX_REDIRECTS = 20;

/**
 * Sends a request and follows redirects within the origin of `home`. In a page the address can be
 * relative.
 *
 * @throws AgentwireError `other-origin` if the server names an address of another origin
 */
export async function fetchWithin(
  home: string | URL,
  ask: typeof fetch,
  where: string | URL,
  requestInit: RequestInit,
  { origins = [] }: OriginOptions,
): Promise<LocatedResponse> {
  const own = absolute(home).origin;
  let url = absolute(where);
  let init = requestInit;
  for (let hops = 0; ; hops++) {
    const isOther = url.origin !== own;
    const isAllowed = !isOther || (url.origin !== "null" && origins.includes(url.origin));
    must(
      isAllowed,
      "other-origin",
      `the server at ${own} names an address of ${url.origin}, which receives no credentials: list it in \`origins\` to follow it`,
    );
    const response = await ask(url.href, {
      ...(isOther ? withoutCredentials(init) : init),
      redirect: "manual",
    });
    if (response.type === "opaqueredirect") {
      const page = await fetchByPage(ask, url, init);
      return { response: page, url: page.url };
    }
    mustStayWithin(response, url);
    if (!isRedirect(response)) {
      return {
        response: isOther ? withoutError(response) : response,
        url: response.url || url.href,
      };
    }
    drop(response);
    must(
      hops < MAX_REDIRECTS,
      "other-origin",
      `the server at ${own} redirects ${MAX_REDIRECTS} times in a row`,
    );
    url = addressOf(response, "location", url);
    init = redirected(init, response.status);
  }
}

/**
 * Returns the address in a header of a response, which can be relative. Drops the body of a
 * response without a valid one.
 *
 * @throws AgentwireError `wrong-address`
 */
export function addressOf(
  response: Response,
  header: "location" | "content-location",
  from: string | URL,
): URL {
  try {
    return new URL(response.headers.get(header)!, from);
  } catch {
    drop(response);
    throw new AgentwireError(
      "wrong-address",
      `the server at ${absolute(from).origin} names no valid address in \`${header}\``,
    );
  }
}

/**
 * Sends a request. Its redirects are refused, or followed within its origin.
 *
 * @param ask sends one request; its `redirect` is `manual`
 * @throws AgentwireError `redirected`, `other-origin`, `wrong-address`
 */
export async function send(
  request: Request,
  ask: (request: Request) => Response | PromiseLike<Response>,
  followRedirects = false,
): Promise<Response> {
  if (followRedirects) {
    const { url, method, headers, signal } = request;
    const init: RequestInit = { method, headers, signal, body: await request.text() };
    return (
      await fetchWithin(url, async (where, how) => ask(new Request(where, how)), url, init, {})
    ).response;
  }
  const response = await ask(request);
  mustStayWithin(response, request.url);
  if (isRedirect(response)) {
    drop(response);
    throw refusedRedirect(response, request.url);
  }
  return response;
}

/** Throws if a replacement of `fetch` has followed a redirect to another origin. */
function mustStayWithin(response: Response, requested: string | URL): void {
  const { origin } = new URL(requested);
  if (response.redirected && absolute(response.url).origin !== origin) {
    drop(response);
    throw new AgentwireError(
      "other-origin",
      `the server at ${origin} has redirected to ${absolute(response.url).origin}`,
    );
  }
}

function drop({ body }: Response): void {
  void body?.cancel().catch(() => {});
}

/**
 * Follows a redirect in a page, which cannot read its target. The browser follows it only within
 * the page's own origin.
 */
async function fetchByPage(ask: typeof fetch, url: URL, init: RequestInit): Promise<Response> {
  must(
    url.origin === globalThis.location?.origin,
    "other-origin",
    `the server at ${url.origin} redirects, and a page cannot see where: ask at the address that it redirects to`,
  );
  return ask(url.href, { ...init, mode: "same-origin", redirect: "follow" });
}

/** Returns the request after a redirect, by the rules of the Fetch standard. */
function redirected(init: RequestInit, status: number): RequestInit {
  const { method = "GET", body: _, ...rest } = init;
  if (status === 307 || status === 308 || method === "GET" || method === "HEAD") {
    return init;
  }
  const headers = new Headers(init.headers);
  ["content-type", "content-length", "content-encoding", "content-language"].forEach((name) =>
    headers.delete(name),
  );
  return { ...rest, method: "GET", headers };
}

function withoutCredentials(init: RequestInit): RequestInit {
  const requestHeaders = new Headers(init.headers);
  const headers = HARMLESS.flatMap((name): [string, string][] => {
    const value = requestHeaders.get(name);
    return value === null ? [] : [[name, value]];
  });
  // Some workers reject the property.
  return { ...init, headers, ...("credentials" in Request.prototype && { credentials: "omit" }) };
}

/** Returns the response of another origin, without its body unless it is an event stream. */
function withoutError(response: Response): Response {
  const type = response.headers.get("content-type");
  if (response.ok && (type === null || /^\s*text\/event-stream\s*(;|$)/i.test(type))) {
    return response;
  }
  drop(response);
  return new Response(null, {
    status: response.status,
    headers: type === null ? {} : { "content-type": type },
  });
}
