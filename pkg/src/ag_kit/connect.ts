// `connect` for AG-Kit. The server keeps the conversation, so a request contains only the new messages, and at most one decision.

import type { AgKitInputMessage, SendMessageInput } from "../agentwire.js";
import { type AgentClient, type SharedConnectOptions, TOOL_OPTIONS, type ToolOptions } from "../connect/agent.js";
import { connected } from "../connect/connection.js";
import { type Dialect, allAnswers } from "../connect/dialect.js";
import { functionsOf } from "../connect/tool.js";
import { must } from "../core/errors.js";
import { stringifyJson, textOf } from "../core/json.js";
import { post } from "../http/post.js";
import { either } from "../store/fits.js";
import type { ApprovalDecision, ConversationAnswer } from "../store/state.js";
import { type Input, messagesOf } from "./create_request.js";
import { AG_KIT, callsOf } from "./protocol.js";

/** The input of `send`: the user's text, or messages. */
export type AgKitConnectInput = Input;

/** The options of `connect`. Everything is optional. */
export interface AgKitConnectOptions extends SharedConnectOptions<"ag-kit", AgKitConnectInput>, ToolOptions {
  /** Further properties of each request. */
  readonly body?: (Pick<SendMessageInput, "tools"> & { readonly [member: string]: unknown }) | undefined;
}

/** AG-Kit for `connect`. */
export const AG_KIT_DIALECT: Dialect<"ag-kit", AgKitConnectInput, AgKitConnectOptions> = {
  protocol: "ag-kit",
  reads: [AG_KIT],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  stored: { message: either("text", ["object"]), snapshot: { status: "text", parts: [{ type: "text", "toolCallId?": "text" }], pendingToolCallIds: ["text"] } },
  request(url, turn, { tools, body }, how) {
    const { conversationId, message } = turn;
    const answers = allAnswers(turn);
    const results = answers
      .filter(({ kind }) => kind === "call")
      .map(({ id, value }): AgKitInputMessage => ({ role: "tool", toolCallId: id, content: textOf(value) }));
    const [decision, another] = [turn.answers.filter(isDecision), answers.filter(isDecision).slice(-1)].find(({ length }) => length > 0) ?? [];
    must(another === undefined, "message-not-sendable", "a request of AG-Kit has the answer to one interrupt, and two are answered");
    const resume = decision && { interruptId: decision.id, payload: stringifyJson({ approved: decision.approved, value: decision.value }) };
    // The protocol requires the schema as JSON text.
    const functions = functionsOf(tools).map((tool) => ({ ...tool, parameters: stringifyJson(tool.parameters) }));
    const listed = [...functions, ...(body?.tools ?? [])];
    const requestBody = { ...body, conversationId, messages: [...results, ...messagesOf(message)], ...(listed.length > 0 && { tools: listed }), ...(resume && { resume }) };
    // The server executes calls of other tools.
    return { request: post(url, requestBody, how), read: { clientTools: listed.map(({ name }) => name) } };
  },
};

/**
 * Creates the client of an agent. Sends no request yet.
 *
 * ```js
 * const agent = connect("/send-message", { tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { snapshot } of agent.send("Weather in Beijing?")) render(snapshot.parts);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(url: string | URL, options: AgKitConnectOptions = {}): AgentClient<"ag-kit", AgKitConnectInput> {
  return connected(AG_KIT_DIALECT, url, options);
}

const isDecision = (answer: ConversationAnswer): answer is ApprovalDecision => answer.kind === "approval";
