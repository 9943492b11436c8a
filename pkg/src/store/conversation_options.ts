// What a conversation is created with: options with a function that asks, or an agent of `connect`.

import { AgentwireError } from "../errors.js";
import { knownOptions } from "../option_names.js";
import type { AnyProtocol } from "../outcome.js";
import type { ConversationAgent, ConversationOptions, ConversationSettings } from "./turn.js";

/** The options of a conversation, also of one with an agent. */
export function optionsOf<P extends AnyProtocol, M>(
  given: ConversationOptions<P, M> | ConversationAgent<P, M>,
  settings: ConversationSettings<P, M> | undefined,
): ConversationOptions<P, M> {
  if (typeof Object(given).request !== "function") {
    const agent = "an agent of `connect`, or options with `request`, a function that asks the agent and returns a run, as `read` gives it";
    throw new AgentwireError("missing-argument", `createConversation() takes ${agent}`);
  }
  if (!isAgent(given)) {
    knownOptions("createConversation()", given, ["request", ...SETTINGS]);
    return given;
  }
  knownOptions("createConversation()", settings ?? {}, SETTINGS);
  const { id, turns } = given.state;
  return {
    id,
    turns,
    rounds: given.maxToolRounds,
    ...settings,
    request: (turn) => given.request(turn),
    get tools() {
      return settings?.tools ?? given.tools;
    },
  };
}

/** Whether this is an agent of `connect`. */
function isAgent<P extends AnyProtocol, M>(given: object): given is ConversationAgent<P, M> {
  return "protocol" in given && "state" in given;
}

const SETTINGS = ["tools", "rounds", "id", "turns", "keep", "persist"];
