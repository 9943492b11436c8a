// Requests of pages of other origins. A browser asks for permission first (CORS), unless the
// request is simple: a GET, or a POST without a body, or with a form or plain text.

import { type CorsOptions, allowsOrigin } from "../../server/cors.js";
import { refuseUnless } from "./refusal.js";

/** Returns whether a browser reports that a page of another origin sent the request. */
export function isForeign({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) {
    return site !== "same-origin" && site !== "none";
  }
  const origin = headers.get("origin");
  // HTTP/2 has no header `host`.
  const host = headers.get("host") ?? new URL(url).host;
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/**
 * Returns a function that throws a refusal for a request that a page of another origin could send
 * without permission, with the user's cookies: the page's origin is not allowed, and the request
 * has no header that needs permission. It is for requests that have no JSON.
 */
export function foreignRefusal(origin: CorsOptions["origin"] = []): (request: Request) => void {
  return (request) => {
    const { headers } = request;
    const hadPermission = headers.has("authorization") || headers.has("x-requested-with");
    const isAllowed =
      hadPermission || !isForeign(request) || allowsOrigin(origin, headers.get("origin") ?? "");
    refuseUnless(
      isAllowed,
      "AGENT_FORBIDDEN",
      "a page of another origin has sent the request: allow the origin with `cors`",
    );
  };
}
