// Determines the owner of the A2A tasks of a request.

import { userOf } from "./auth.js";
import type { RunsEnv } from "./env.js";
import { hashOf } from "./hash.js";

/** A header of requests to the object that has the tasks of all callers without a token. */
export const SHARED = "x-agentwire-shared";
/** The owner of those tasks. */
const EVERYBODY = "shared";

/** Returns the name of the object with a caller's tasks: the user's own, or without a token the shared one. Throws a refusal if the token is invalid. */
export async function ownerOf(request: Request, env: RunsEnv): Promise<string> {
  return request.headers.has("authorization") ? hashOf(await userOf(request, env)) : EVERYBODY;
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
