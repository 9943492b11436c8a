// URLs, which may be relative only in a page, and the URLs below a base. Errors contain neither a
// query nor a password: both can be keys.

import { AgentwireError, must } from "../core/errors.js";
import { setHeaders } from "./headers.js";

/**
 * Returns the absolute URL of one that may be relative in a page.
 *
 * @throws AgentwireError `wrong-argument` if it has no base URL, another scheme than http, or a
 * user name or password
 */
export function absolute(url: string | URL): URL {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  let parsed: URL;
  try {
    parsed = new URL(url, base);
  } catch {
    // The platform's error has the whole URL.
    throw new AgentwireError(
      "wrong-argument",
      `${shown(url)} needs a base URL: outside of pages a URL must be absolute, \`https://example.com/path\``,
    );
  }
  const { protocol, username, password } = parsed;
  const isHttp =
    protocol === "http:" ||
    protocol === "https:" ||
    (base !== undefined && protocol === new URL(base).protocol);
  must(
    isHttp,
    "wrong-argument",
    `${shown(url)} has no scheme that can be requested: it begins with \`https://\` or \`http://\``,
  );
  must(
    username === "" && password === "",
    "wrong-argument",
    `the URL of ${parsed.host} contains a user name or a password: send them in the header \`authorization\``,
  );
  return parsed;
}

/**
 * Returns the URL of a path below a base URL. The query of the base follows the path, and its
 * parameters are kept.
 *
 * @param path begins with a slash; its segments are encoded (see {@link segment})
 */
export function below(
  base: string | URL,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = absolute(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  url.hash = "";
  Object.entries(query).forEach(([name, value]) => url.searchParams.set(name, value));
  return url;
}

/**
 * Returns a name or an id as one segment of a path.
 *
 * @param what its name, for the error
 * @throws AgentwireError `wrong-argument` for a value that no segment can have: an empty one, `.`
 * and `..`, or half a surrogate pair
 */
export function segment(what: string, value: string): string {
  try {
    must(
      value !== "" && value !== "." && value !== "..",
      "wrong-argument",
      "a segment is neither empty nor a step to another folder",
    );
    return encodeURIComponent(value);
  } catch (cause) {
    throw new AgentwireError(
      "wrong-argument",
      `${what} cannot be a part of an address: \`${value.slice(0, 100)}\``,
      { cause },
    );
  }
}

/** Creates a request. Throws an `AgentwireError` for a URL or a header that cannot be sent. */
export function requestTo(url: RequestInfo | URL, init: RequestInit = {}): Request {
  const headers = init.headers && setHeaders(new Headers(), init.headers);
  return new Request(typeof url === "string" || url instanceof URL ? absolute(url) : url, {
    ...init,
    ...(headers && { headers }),
  });
}

/** Returns a URL for an error message, without its query and what can be a password. */
function shown(url: string | URL): string {
  const [start = ""] = String(url).split(/[?#]/, 1);
  return start.includes("@") ? "the URL" : `\`${start.slice(0, 200)}\``;
}
