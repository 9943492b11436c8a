// The options of a conversation: with a function that sends requests, or with an agent of `connect`.

import { AgentwireError } from "../core/errors.js";
import type { DefaultProtocol } from "../generated/contract.js";
import { knownOptions } from "../core/arguments.js";
import type { AnyProtocol } from "../core/outcome.js";
import type { StreamLike } from "../read/read.js";
import type { Persist } from "./persist.js";
import type { StoreOptions } from "./run_store.js";
import type { ClientTool, StoredTurn, TurnRequest } from "./turn.js";

/** The options of a conversation with an agent. All are optional. */
export interface ConversationSettings<P extends AnyProtocol = DefaultProtocol, M = string> extends StoreOptions {
  /**
   * Client tools by name, which are executed when the agent calls them. When nothing else is pending, their results are
   * sent.
   */
  readonly tools?: Readonly<Record<string, ClientTool>> | undefined;
  /** The number of consecutive turns that may only return tool results: 8 by default. Further calls stay pending. */
  readonly maxToolRounds?: number | undefined;
  /** The id of the conversation, which the server receives; a new UUID by default. */
  readonly id?: string | undefined;
  /** The turns of a stored conversation. */
  readonly turns?: readonly StoredTurn<P, M>[] | undefined;
  /**
   * Where the conversation is stored, so that it continues after the page is reloaded. A stored conversation takes
   * precedence over `id` and `turns`.
   */
  readonly persist?: Persist<P, M> | undefined;
}

/** The options of a conversation with a function that sends requests. */
export interface ConversationOptions<P extends AnyProtocol = DefaultProtocol, M = string> extends ConversationSettings<P, M> {
  /**
   * Sends a request to the agent, in its protocol, and returns the stream of the response. Called once per turn, and
   * once more for each `retry`.
   */
  request(turn: TurnRequest<P, M>): StreamLike<P> | PromiseLike<StreamLike<P>>;
}

/** An agent that `connect` returns. */
export interface ConversationAgent<P extends AnyProtocol, M> {
  readonly protocol: P;
  request(turn: TurnRequest<P, M>): StreamLike<P> | PromiseLike<StreamLike<P>>;
  readonly tools: Readonly<Record<string, ClientTool>>;
  readonly maxToolRounds: number | undefined;
  // The agent may accept more types of messages than the conversation.
  readonly state: { readonly id: string; readonly turns: readonly StoredTurn<P, any>[] };
}

/** Returns the options of a conversation, including those of one with an agent. */
export function optionsOf<P extends AnyProtocol, M>(
  given: ConversationOptions<P, M> | ConversationAgent<P, M>,
  settings: ConversationSettings<P, M> | undefined,
): ConversationOptions<P, M> {
  if (typeof Object(given).request !== "function") {
    const agent = "an agent of `connect`, or options with `request`, a function that sends a request and returns the result of `read`";
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

/** Returns whether the argument is an agent of `connect`. */
function isAgent<P extends AnyProtocol, M>(given: object): given is ConversationAgent<P, M> {
  return "protocol" in given && "state" in given;
}

const SETTINGS = ["tools", "maxToolRounds", "id", "turns", "keepAlive", "persist"];
