// The names of the lists of users in a store.

import { hashOf } from "./signing.js";

/** Returns the name of the list with the threads of a user. */
export function threadsLabel(user: string): Promise<string> {
  return labelOf("threads", user);
}

/** Returns the name of a list of a user, of any name. */
export async function labelOf(list: string, user: string): Promise<string> {
  return `${list}/${await hashOf(JSON.stringify(user))}`;
}
