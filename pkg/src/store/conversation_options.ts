// The options of a conversation: with a function that sends requests, or with an agent of `connect`.

import { AgentwireError } from "../errors.js";
import type { DefaultProtocol } from "../generated.js";
import { knownOptions } from "../option_names.js";
import type { AnyProtocol } from "../outcome.js";
import type { StreamLike } from "../read.js";
import type { Persist } from "./persist.js";
import type { StoreOptions } from "./run_store.js";
import type { ClientTool, StoredTurn, TurnRequest } from "./turn.js";

/** The options of a conversation with an agent. Everything is optional. */
export interface ConversationSettings<P extends AnyProtocol = DefaultProtocol, M = string> extends StoreOptions {
  /** Tools by name that are run when an answer asks for them. When nothing else is pending the answers are sent. */
  readonly tools?: Readonly<Record<string, ClientTool>> | undefined;
  /** How many turns in a row may only answer tools of these: 8 by default. After that they stay pending. */
  readonly maxToolRounds?: number | undefined;
  /** What names the conversation to the server; by default a new one. */
  readonly id?: string | undefined;
  /** The turns of a conversation that was stored. */
  readonly turns?: readonly StoredTurn<P, M>[] | undefined;
  /** Where the conversation is stored: it continues when the page is loaded again. A stored conversation counts before `id` and `turns`. */
  readonly persist?: Persist<P, M> | undefined;
}

/** The options of a conversation whose requests a function sends. */
export interface ConversationOptions<P extends AnyProtocol = DefaultProtocol, M = string> extends ConversationSettings<P, M> {
  /** Sends a request to the agent, in its protocol, and returns the run. Called once for each turn, and once more for each `retry`. */
  request(turn: TurnRequest<P, M>): StreamLike<P> | PromiseLike<StreamLike<P>>;
}

/** An agent as `connect` returns it. */
export interface ConversationAgent<P extends AnyProtocol, M> {
  readonly protocol: P;
  request(turn: TurnRequest<P, M>): StreamLike<P> | PromiseLike<StreamLike<P>>;
  readonly tools: Readonly<Record<string, ClientTool>>;
  readonly maxToolRounds: number | undefined;
  // The messages of an agent may be of more types than those of the conversation.
  readonly state: { readonly id: string; readonly turns: readonly StoredTurn<P, any>[] };
}

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
    maxToolRounds: given.maxToolRounds,
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

const SETTINGS = ["tools", "maxToolRounds", "id", "turns", "keepAlive", "persist"];
