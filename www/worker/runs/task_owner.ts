// Whose tasks of A2A a request is about.

import type { RunsEnv } from "./env.js";
import { hashOf } from "./hash.js";

/** The header by which an object hears that its tasks are those of everybody who has said no token. */
export const SHARED = "x-agentwire-shared";
/** The owner of those. */
const EVERYBODY = "shared";

/**
 * The name of the object that has the tasks of whoever asks: a token, which is not looked at, has tasks of its own, and without one they
 * are those of all. Who may ask at all is for a server of one's own to say before this.
 */
export async function ownerOf({ headers }: Request): Promise<string> {
  const token = headers.get("authorization");
  return token === null ? EVERYBODY : hashOf(token);
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
