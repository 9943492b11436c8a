// Determines the owner of the A2A tasks of a request.

import { runsRefusal } from "agentwire/runs/server";
import { userOf } from "./auth.js";
import type { RunsEnv } from "./env.js";
import { hashOf } from "./hash.js";

/** A header of requests to the object that has the tasks of all callers without a token. */
export const SHARED = "x-agentwire-shared";
/** The owner of those tasks. */
const EVERYBODY = "shared";

/** Returns the name of the object with a caller's tasks: the user's own, or without a token the shared one. Throws a refusal if the token is invalid. */
export async function ownerOf(request: Request, env: RunsEnv): Promise<string> {
  if (!request.headers.has("authorization")) {
    return EVERYBODY;
  }
  const user = await userOf(request, env);
  if (user === undefined) {
    throw runsRefusal("AUTH_UNAUTHORIZED", "the token is not valid, or has expired");
  }
  return hashOf(user);
}

/** Sends a request to the object with an owner's tasks. */
export function askTasks(request: Request, objects: NonNullable<RunsEnv["TASKS"]>, owner: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.delete(SHARED);
  if (owner === EVERYBODY) {
    headers.set(SHARED, "1");
  }
  return objects.getByName(owner).fetch(new Request(request, { headers }));
}
