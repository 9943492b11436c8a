// Whose tasks of A2A a request is about.

import { userOf } from "./auth.js";
import type { RunsEnv } from "./env.js";
import { hashOf } from "./hash.js";

/** The header that marks the tasks of all callers without a token, for the object that has them. */
export const SHARED = "x-agentwire-shared";
/** The owner of those. */
const EVERYBODY = "shared";

/** The name of the object that has the tasks of a caller: a user's own, or without a token those of all. Throws a refusal of a token that is not valid. */
export async function ownerOf(request: Request, env: RunsEnv): Promise<string> {
  return request.headers.has("authorization") ? hashOf(await userOf(request, env)) : EVERYBODY;
}

/** Asks the object that has an owner's tasks. */
export function askTasks(request: Request, objects: NonNullable<RunsEnv["TASKS"]>, owner: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.delete(SHARED);
  if (owner === EVERYBODY) {
    headers.set(SHARED, "1");
  }
  return objects.getByName(owner).fetch(new Request(request, { headers }));
}
