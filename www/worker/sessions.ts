// The earlier messages of a session, for protocols whose requests may have only what is new. They are in the memory of the instance,
// which is enough for a demo: a server of one's own has a storage, and users.

import type { AgentRequest } from "agentwire/server";

type Item = AgentRequest["input"][number];

/** How many sessions are kept, the latest; and of each, how many items and characters. */
const MOST = { sessions: 1000, items: 200, characters: 16 * 1024 };

/** Sessions by a name: those of two protocols, or of two users, are not the same. */
export class Sessions {
  /** In the order in which they were used. */
  readonly #sessions = new Map<string, readonly Item[]>();

  /**
   * The request with the earlier items of its session before its own. A request that has earlier messages of the user itself is taken
   * as it is, and is what the session has then.
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
    return { ...request, input: [...items.slice(0, Math.max(0, items.length - input.length)), ...input] };
  }
}

function isUsers({ type, role }: Item): boolean {
  return (type ?? "message") === "message" && (role ?? "user") === "user";
}

/** The latest items. */
function bounded(items: readonly Item[]): Item[] {
  let characters = 0;
  const latest = items.slice(-MOST.items);
  const begin = latest.findLastIndex((item) => (characters += JSON.stringify(item).length) > MOST.characters);
  return latest.slice(begin + 1);
}
