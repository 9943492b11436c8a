// The earlier messages of a session, for protocols whose requests may have only the new messages.
// They are in the memory of the instance, which is sufficient for a demo: a production server has a
// storage, and users.

import type { AgentRequest } from "agentwire/server";

type Item = AgentRequest["input"][number];

/**
 * The limits: the number of sessions, of which the latest are kept; and for each, the numbers of
 * items and characters.
 */
const MOST = { sessions: 1000, items: 200, characters: 16 * 1024 };

/** Sessions by protocol, user and session id. */
export class Sessions {
  /** In the order of their last use. */
  readonly #sessions = new Map<string, readonly Item[]>();

  /**
   * Returns the request with the earlier items of its session before its own. A request that has
   * several messages of the user is not extended, and replaces the items of the session.
   */
  continued(request: AgentRequest, protocol: string): AgentRequest {
    const { session_id, user_id, input } = request;
    if (!session_id) {
      return request;
    }
    const name = JSON.stringify([protocol, user_id ?? null, session_id]);
    const earlier = input.filter(isUsers).length > 1 ? [] : (this.#sessions.get(name) ?? []);
    const items = bounded([...earlier, ...input]);
    this.#sessions.delete(name);
    this.#sessions.set(name, items);
    if (this.#sessions.size > MOST.sessions) {
      this.#sessions.delete(this.#sessions.keys().next().value!);
    }
    return {
      ...request,
      input: [...items.slice(0, Math.max(0, items.length - input.length)), ...input],
    };
  }
}

function isUsers({ type, role }: Item): boolean {
  return (type ?? "message") === "message" && (role ?? "user") === "user";
}

/** Returns the latest items within the limits. */
function bounded(items: readonly Item[]): Item[] {
  let characters = 0;
  const latest = items.slice(-MOST.items);
  const begin = latest.findLastIndex(
    (item) => (characters += JSON.stringify(item).length) > MOST.characters,
  );
  return latest.slice(begin + 1);
}
