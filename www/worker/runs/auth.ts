// Who asks: a bearer token, as a JWT or, on this machine only, as the token of the demo.

import { runsRefusal } from "agentwire";
import { jwtVerify } from "jose";
import type { RunsEnv } from "./env.js";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** The user of a request; throws a refusal. */
export async function userOf(request: Request, { DEMO_TOKEN, JWT_SECRET }: RunsEnv): Promise<string> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) {
    throw runsRefusal("AUTH_UNAUTHORIZED", "a bearer token is missing");
  }
  if (DEMO_TOKEN && token === DEMO_TOKEN && LOOPBACK.has(new URL(request.url).hostname)) {
    return "demo";
  }
  if (JWT_SECRET) {
    try {
      const options = { algorithms: ["HS256"], requiredClaims: ["sub", "exp"], clockTolerance: 30 };
      const { payload } = await jwtVerify(token, new TextEncoder().encode(JWT_SECRET), options);
      return payload.sub!;
    } catch {
      // Why is nobody's business.
    }
  }
  throw runsRefusal("AUTH_UNAUTHORIZED", "the token is not valid, or not any more");
}
