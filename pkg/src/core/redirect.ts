// Redirects: a platform that follows one sends the body and most headers of the request to the
// server that it names.

import { AgentwireError } from "./errors.js";

const STATUSES = [301, 302, 303, 307, 308];

/**
 * Returns whether a response is a redirect: it has a location, or it is the one that a page
 * receives instead.
 */
export function isRedirect({ type, status, headers }: Response): boolean {
  return type === "opaqueredirect" || (STATUSES.includes(status) && headers.has("location"));
}

/**
 * Returns the error for a redirect that is not followed. It names the origins only, because an
 * address can contain a key.
 *
 * @param from the address of the request
 */
export function refusedRedirect({ headers }: Response, from: string | URL): AgentwireError {
  const location = headers.get("location");
  const [own, target] = [originOf(from), location === null ? undefined : originOf(location, from)];
  const where = target === undefined ? "" : target === own ? " to another path" : ` to ${target}`;
  const server = own === undefined ? "the server" : `the server at ${own}`;
  return new AgentwireError(
    "redirected",
    `${server} redirects${where}, and nothing was sent there: use the address that it redirects to`,
  );
}

/** Returns the origin of an address; undefined for an invalid one. */
function originOf(address: string | URL, base?: string | URL): string | undefined {
  try {
    return new URL(address, base === "" ? undefined : base).origin;
  } catch {
    return undefined;
  }
}
