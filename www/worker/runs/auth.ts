// Identifies the user: a bearer token, as a JWT or, where the server listens on a loopback address,
// as the token of the demo.

import { jwtUsers } from "agentwire/runs/server";
import type { RunsEnv } from "./env.js";

/**
 * The host names of a server on a loopback address. A page of another site could have its own name
 * resolve to the server.
 */
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Returns whether a request was sent to a loopback address. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.has(new URL(url).hostname);
}

/** Returns the user of a request, if it has a valid token. */
export async function userOf(
  request: Request,
  { DEMO_TOKEN, JWT_SECRET }: RunsEnv,
): Promise<string | undefined> {
  if (
    DEMO_TOKEN &&
    request.headers.get("authorization") === `Bearer ${DEMO_TOKEN}` &&
    isLoopback(request.url)
  ) {
    return "demo";
  }
  return JWT_SECRET ? jwtUsers({ secret: JWT_SECRET })(request) : undefined;
}
