// `connect` for the toy protocol, whose requests are those of the Agent API.

import { AGENT_API_DIALECT, type AgentApiConnectInput } from "../agent_api/connect.js";
import type { AgentClient, SharedConnectOptions } from "../connect/agent.js";
import { connected } from "../connect/connection.js";
import type { Dialect } from "../connect/dialect.js";
import { TOY, callsOf } from "./protocol.js";

/** The input of `send`: that of the Agent API. */
export type ToyConnectInput = AgentApiConnectInput;

/** The options of `connect`. */
export interface ToyConnectOptions extends SharedConnectOptions<"toy", ToyConnectInput> {}

/** The toy for `connect`. */
export const TOY_DIALECT: Dialect<"toy", ToyConnectInput, ToyConnectOptions> = {
  protocol: "toy",
  reads: [TOY],
  callsOf,
  options: [],
  request: (url, { conversationId, message, answers }, _, how) =>
    AGENT_API_DIALECT.request(url, { conversationId, message, answers, turns: [] }, {}, how),
};

/** Creates the client of an agent. Sends no request yet. */
export function connect(url: string | URL, options: ToyConnectOptions = {}): AgentClient<"toy", ToyConnectInput> {
  return connected(TOY_DIALECT, url, options);
}
