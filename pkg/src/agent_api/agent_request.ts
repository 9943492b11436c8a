// Asking a server of the Agent API.

import type { AgentRequest } from "../agentwire.js";
import { knownOptions } from "../option_names.js";
import { AgentwireError } from "../errors.js";
import { type PostOptions, post } from "../post.js";
import { uuid } from "../uuid.js";

/** What goes with a question. Everything is optional. */
export interface AgentRequestOptions extends PostOptions {
  /** The conversation: the same for every question in it. A new UUID by default, in place of one that all callers share. */
  readonly session?: string | undefined;
  /** Who asks. */
  readonly user?: string | undefined;
}

/**
 * The HTTP request that asks an agent, to be given to `fetch`: with the content type without which servers refuse it, and
 * with a session.
 *
 * ```js
 * const run = read(fetch(agentRequest("/process", "Weather in Beijing?", { session, signal })), { signal });
 * ```
 *
 * @param url where; outside of pages an absolute address
 * @param input what the user says, messages, or a whole request, whose `session_id` and `user_id` count before the options
 * @throws AgentwireError when the input is none of them (`wrong-argument`)
 */
export function agentRequest(
  url: string | URL,
  input: string | AgentRequest["input"] | AgentRequest,
  options: AgentRequestOptions = {},
): Request {
  knownOptions("agentRequest()", options, ["session", "user", "headers", "signal"]);
  const { session, user, ...how } = options;
  const asked: AgentRequest =
    typeof input === "string"
      ? { input: [{ role: "user", content: [{ type: "text", text: input }] }] }
      : Array.isArray(input)
        ? { input }
        : (input as AgentRequest);
  if (typeof asked !== "object" || asked === null || !Array.isArray(asked.input)) {
    throw new AgentwireError("wrong-argument", "agentRequest() takes a text, a list of messages, or a request with `input`");
  }
  const { session_id, user_id } = asked;
  const named = user_id ?? user;
  return post(url, { ...asked, session_id: session_id || session || uuid(), ...(named === undefined ? {} : { user_id: named }) }, how);
}
