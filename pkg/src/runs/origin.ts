// Keeps requests within the origin that they are meant for. A server can name any address in `Content-Location` or in a redirect; the
// credentials for the server (`authorization`, keys, cookies) are not sent to another origin.

import { absolute } from "../http/address.js";
import { AgentwireError, must } from "../core/errors.js";

/** The options for addresses that a server names. */
export interface OriginOptions {
  /**
   * Other origins that the server can name, for example `https://replica.example`. Empty by default. They receive neither credentials nor
   * the caller's own headers, and errors do not contain their bodies.
   */
  readonly origins?: readonly string[] | undefined;
}

/** A response and the address that returned it. */
export interface LocatedResponse {
  readonly response: Response;
  readonly url: string;
}

/** The headers of a request that another origin can receive. */
const HARMLESS = ["accept", "accept-language", "content-type", "idempotency-key", "last-event-id", "prefer"];
const REDIRECTS = [301, 302, 303, 307, 308];
/** The maximum number of consecutive redirects, as in `fetch`. */
const MOST = 20;

/**
 * Sends a request and follows redirects within the origin of `home`. In a page the address can be relative.
 *
 * @throws AgentwireError `other-origin` if the server names an address of another origin
 */
export async function fetchWithin(
  home: string | URL,
  ask: typeof fetch,
  where: string | URL,
  given: RequestInit,
  { origins = [] }: OriginOptions,
): Promise<LocatedResponse> {
  const own = absolute(home).origin;
  let url = absolute(where);
  let init = given;
  for (let hops = 0; ; hops++) {
    const isOther = url.origin !== own;
    const isAllowed = !isOther || (url.origin !== "null" && origins.includes(url.origin));
    must(isAllowed, "other-origin", `the server at ${own} names an address of ${url.origin}, which receives no credentials: list it in \`origins\` to follow it`);
    const response = await ask(url.href, { ...(isOther ? withoutCredentials(init) : init), redirect: "manual" });
    if (response.type === "opaqueredirect") {
      const page = await fetchByPage(ask, url, init);
      return { response: page, url: page.url };
    }
    if (response.redirected && absolute(response.url).origin !== url.origin) {
      void response.body?.cancel().catch(() => {});
      throw new AgentwireError("other-origin", `the server at ${own} has redirected to ${absolute(response.url).origin}`);
    }
    const location = response.headers.get("location");
    if (!REDIRECTS.includes(response.status) || location === null) {
      return { response: isOther ? withoutError(response) : response, url: response.url || url.href };
    }
    void response.body?.cancel().catch(() => {});
    must(hops < MOST, "other-origin", `the server at ${own} redirects ${MOST} times in a row`);
    url = new URL(location, url);
    init = redirected(init, response.status);
  }
}

/** Follows a redirect in a page, which cannot read its target. The browser follows it only within the page's own origin. */
async function fetchByPage(ask: typeof fetch, url: URL, init: RequestInit): Promise<Response> {
  must(url.origin === globalThis.location?.origin, "other-origin", `${url.href} redirects, and a page cannot see where: ask at the address that it redirects to`);
  return ask(url.href, { ...init, mode: "same-origin", redirect: "follow" });
}

/** Returns the request after a redirect, by the rules of the Fetch standard. */
function redirected(init: RequestInit, status: number): RequestInit {
  const { method = "GET", body: _, ...rest } = init;
  if (status === 307 || status === 308 || method === "GET" || method === "HEAD") {
    return init;
  }
  const headers = new Headers(init.headers);
  ["content-type", "content-length", "content-encoding", "content-language"].forEach((name) => headers.delete(name));
  return { ...rest, method: "GET", headers };
}

function withoutCredentials(init: RequestInit): RequestInit {
  const given = new Headers(init.headers);
  const headers = HARMLESS.flatMap((name): [string, string][] => {
    const value = given.get(name);
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
  void response.body?.cancel().catch(() => {});
  return new Response(null, { status: response.status, headers: type === null ? {} : { "content-type": type } });
}
