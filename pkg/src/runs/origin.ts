// Requests that stay with the origin that they are meant for. A server may name any address, by `Content-Location` or by a
// redirect: what the caller sends to the server itself (`authorization`, keys, cookies) is not sent to another origin.

import { absolute } from "../address.js";
import { AgentwireError } from "../errors.js";

/** What follows the addresses of a server. */
export interface OriginOptions {
  /**
   * Other origins that the server may name, `https://replica.example`: by default there are none. They receive no credentials and
   * no headers of the caller, and no body of theirs is in an error.
   */
  readonly origins?: readonly string[] | undefined;
}

/** An answer, and the address that gave it. */
export interface Located {
  readonly response: Response;
  readonly url: string;
}

/** Headers of the caller that another origin may receive. */
const HARMLESS = ["accept", "accept-language", "content-type", "idempotency-key", "last-event-id", "prefer"];
const REDIRECTS = [301, 302, 303, 307, 308];
/** Redirects in a row, as many as `fetch` follows. */
const MOST = 20;

/**
 * Asks at an address, which may be relative in a page, and follows redirects within the origin of `home`.
 *
 * @throws AgentwireError `other-origin` where the server names an address of another origin
 */
export async function fetchWithin(
  home: string | URL,
  ask: typeof fetch,
  where: string | URL,
  given: RequestInit,
  { origins = [] }: OriginOptions,
): Promise<Located> {
  const own = absolute(home).origin;
  let url = absolute(where);
  let init = given;
  for (let hops = 0; ; hops++) {
    const isOther = url.origin !== own;
    if (isOther && (url.origin === "null" || !origins.includes(url.origin))) {
      throw new AgentwireError(
        "other-origin",
        `the server at ${own} names an address of ${url.origin}, which receives no credentials: list it in \`origins\` to follow it`,
      );
    }
    const response = await ask(url.href, { ...(isOther ? withoutCredentials(init) : init), redirect: "manual" });
    if (response.type === "opaqueredirect") {
      const followed = await followedByPage(ask, url, init);
      return { response: followed, url: followed.url };
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
    if (hops === MOST) {
      throw new AgentwireError("other-origin", `the server at ${own} redirects ${MOST} times in a row`);
    }
    url = new URL(location, url);
    init = redirected(init, response.status);
  }
}

/** A page is not told where a redirect leads. Within its own origin the browser follows it, and no further. */
async function followedByPage(ask: typeof fetch, url: URL, init: RequestInit): Promise<Response> {
  if (url.origin !== globalThis.location?.origin) {
    throw new AgentwireError("other-origin", `${url.href} redirects, and a page cannot see where: ask at the address that it redirects to`);
  }
  return ask(url.href, { ...init, mode: "same-origin", redirect: "follow" });
}

/** The same request after a redirect, as the fetch standard has it. */
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
  // Some workers refuse the member.
  return { ...init, headers, ...("credentials" in Request.prototype && { credentials: "omit" }) };
}

/** Another origin's answer; one that is no stream of events without its body. */
function withoutError(response: Response): Response {
  const type = response.headers.get("content-type");
  if (response.ok && (type === null || /^\s*text\/event-stream\s*(;|$)/i.test(type))) {
    return response;
  }
  void response.body?.cancel().catch(() => {});
  return new Response(null, { status: response.status, headers: type === null ? {} : { "content-type": type } });
}
