// `connect` for the Agent API. The server keeps the conversation, so a request contains only the new messages.

import type { AgentRequest } from "../agentwire.js";
import { type AgentClient, type SharedConnectOptions, TOOL_OPTIONS, type ToolOptions } from "../connect/agent.js";
import { connected } from "../connect/connection.js";
import { type Dialect, allAnswers } from "../connect/dialect.js";
import { functionsOf } from "../connect/tool.js";
import { post } from "../http/post.js";
import { either } from "../store/fits.js";
import { type Input, answerTo, messagesOf } from "./create_request.js";
import { AGENT_API, callsOf } from "./protocol.js";

/** The input of `send`: the user's text, or messages. */
export type AgentApiConnectInput = Input;

/** The options of `connect`. Everything is optional. */
export interface AgentApiConnectOptions extends SharedConnectOptions<"agent-api", AgentApiConnectInput>, ToolOptions {
  /** Further properties of each request: `user_id`, `model` and others. */
  readonly body?: (Partial<AgentRequest> & { readonly input?: never; readonly session_id?: never }) | undefined;
}

/** The Agent API for `connect`. */
export const AGENT_API_DIALECT: Dialect<"agent-api", AgentApiConnectInput, AgentApiConnectOptions> = {
  protocol: "agent-api",
  reads: [AGENT_API],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  stored: {
    message: either("text", ["object"]),
    snapshot: { status: "text", output: [{ type: "text", content: [{ type: "text", "data?": "object" }] }] },
  },
  request(url, turn, { tools, body }, how) {
    const { conversationId, message } = turn;
    const answers = allAnswers(turn).map((answer) => {
      const { value } = answer;
      return answerTo(answer, answer.kind === "call" ? value : { approve: answer.approved, ...(typeof value === "string" && { reason: value }) });
    });
    const functions = functionsOf(tools).map((tool) => ({ type: "function", function: tool }));
    const listed = [...functions, ...(body?.tools ?? [])];
    return { request: post(url, { ...body, session_id: conversationId, input: [...answers, ...messagesOf(message)], ...(listed.length > 0 && { tools: listed }) }, how) };
  },
};

/**
 * Creates the client of an agent. Sends no request yet.
 *
 * ```js
 * const agent = connect("/process", { tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { snapshot } of agent.send("Weather in Beijing?")) render(snapshot.output);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(url: string | URL, options: AgentApiConnectOptions = {}): AgentClient<"agent-api", AgentApiConnectInput> {
  return connected(AGENT_API_DIALECT, url, options);
}
