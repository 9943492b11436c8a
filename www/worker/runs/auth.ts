// Identifies the user: a bearer token, as a JWT or, where the server listens on a loopback address, as the token of the demo.

import { runsRefusal } from "agentwire/runs/server";
import { jwtVerify } from "jose";
import type { RunsEnv } from "./env.js";

/** The host names of a server on a loopback address. A page of another site could have its own name resolve to the server. */
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Returns whether a request was sent to a loopback address. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.has(new URL(url).hostname);
}

/** Returns the user of a request; throws a refusal. */
export async function userOf(request: Request, env: RunsEnv): Promise<string> {
  if (!request.headers.has("authorization")) {
    throw runsRefusal("AUTH_UNAUTHORIZED", "a bearer token is missing");
  }
  const user = await verified(request, env);
  if (user === undefined) {
    throw runsRefusal("AUTH_UNAUTHORIZED", "the token is not valid, or not any more");
  }
  return user;
}

async function verified(request: Request, { DEMO_TOKEN, JWT_SECRET }: RunsEnv): Promise<string | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) {
    return undefined;
  }
  if (DEMO_TOKEN && token === DEMO_TOKEN && isLoopback(request.url)) {
    return "demo";
  }
  if (JWT_SECRET) {
    try {
      const options = { algorithms: ["HS256"], requiredClaims: ["sub", "exp"], clockTolerance: 30 };
      const { payload } = await jwtVerify(token, new TextEncoder().encode(JWT_SECRET), options);
      const sub: unknown = payload.sub;
      return typeof sub === "string" && sub !== "" ? sub : undefined;
    } catch {
      // The answer does not contain the reason.
    }
  }
  return undefined;
}
