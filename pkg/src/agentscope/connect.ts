// `connect` for AgentScope. The server keeps the conversation, so a request contains only the new
// messages, or the answers that a reply waits for.

import type { AgentScopeReply, Json } from "../agentwire.js";
import type { Chat } from "../connect/chat.js";
import { createChat } from "../connect/create_chat.js";
import { type Dialect, lastWith, repliesToSend, unsentMessages } from "../connect/dialect.js";
import type { UserMessage } from "../connect/exchange.js";
import { type StoredShape, fits } from "../connect/fits.js";
import type { UserPart } from "../connect/message.js";
import {
  type ChangeableOptions,
  type SharedConnectOptions,
  TOOL_OPTIONS,
  type ToolOptions,
} from "../connect/options.js";
import { contentOf } from "../connect/user_parts.js";
import { viewOfAnswers } from "../connect/view.js";
import { post } from "../http/post.js";
import { type InputValue, answerEvents } from "./create_request.js";
import { AGENTSCOPE, callsOf } from "./protocol.js";
import { firstRequest, interruption, replyOf } from "./session.js";
import { continuedCall, metadataOf, partsOf } from "./view.js";

/**
 * The options of `connect`. All are optional. Requests do not describe the `tools`: the agent
 * defines them, with the same names, as tools that the client executes.
 */
export interface AgentScopeConnectOptions extends SharedConnectOptions<"agentscope">, ToolOptions {
  /**
   * The id of the agent at a service of AgentScope. With it, the answer is read from the stream of
   * the session; without it, it is the response to the request. The id of the chat is that of the
   * session.
   */
  readonly agentId?: string | undefined;
  /**
   * The properties of the session that the service creates for the first message, such as
   * `chat_model_config`. Without them, the session exists. Needs `agentId`.
   */
  readonly session?: { readonly [member: string]: unknown } | undefined;
  /** Further properties of each request. */
  readonly body?: { readonly [member: string]: unknown } | undefined;
}

/** The blocks, by their type. */
const BLOCKS: { readonly [type: string]: StoredShape } = {
  text: { text: "text" },
  thinking: { thinking: "text" },
  tool_call: { id: "text", name: "text", input: "text", state: "text" },
  tool_result: { id: "text", state: "text", output: [{ type: "text", "text?": "text" }] },
};

/** A stored block. */
const BLOCK: StoredShape = (value) =>
  fits(value, { type: "text" }) && fits(value, BLOCKS[Object(value).type] ?? "object");

/** AgentScope for `connect`. */
export const AGENTSCOPE_DIALECT: Dialect<"agentscope", AgentScopeConnectOptions> = {
  protocol: "agentscope",
  reads: [AGENTSCOPE],
  callsOf,
  options: [...TOOL_OPTIONS, "agentId", "session", "body"],
  history: "server",
  stored: { id: "text", session_id: "text", status: "text", content: [BLOCK] },
  view: viewOfAnswers(partsOf, metadataOf, continuedCall),
  request(url, exchange, { agentId, session, body }, how) {
    const { before, conversationId } = exchange;
    const last = lastWith(before)?.snapshot;
    const events = last === undefined ? [] : answerEvents(last, repliesToSend(before));
    const messages = unsentMessages(exchange).map(userMessage);
    if (agentId === undefined) {
      const inputs = [...events, ...messages];
      const input = inputs.length === 1 ? inputs[0] : inputs;
      const request = { agent_id: "", ...body, session_id: conversationId, input };
      return { request: post(url, request, how) };
    }
    const asked = {
      url,
      agentId,
      create: last === undefined ? session : undefined,
      session: last?.session_id ?? conversationId,
      last,
      known: new Set(before.flatMap(({ snapshot }) => snapshot?.id ?? [])),
      events,
      messages,
      body,
    };
    return {
      request: firstRequest(asked, how),
      answered: (response, send) => replyOf(response, asked, how, send),
    };
  },
  cancellation: (url, { session_id }, { agentId }, how) =>
    agentId === undefined ? undefined : interruption(url, agentId, session_id, how),
};

/**
 * Creates a chat with an agent. Sends no request yet.
 *
 * ```js
 * const chat = connect("/chat/");
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * A chat with the service of AgentScope has `agentId`:
 *
 * ```js
 * const chat = connect("https://service.example.com/chat/", { agentId, session: { chat_model_config }, headers: { "x-user-id": "ann" } });
 * ```
 *
 * @param url the address of the agent: `/chat/`. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  url: string | URL,
  options: AgentScopeConnectOptions = {},
): Chat<AgentScopeReply, ChangeableOptions<AgentScopeConnectOptions>> {
  return createChat(AGENTSCOPE_DIALECT, url, options);
}

function userMessage({ id, parts, metadata }: UserMessage): InputValue {
  return {
    id,
    name: "user",
    role: "user",
    content: parts.map(blockOf),
    ...(metadata !== undefined && { metadata: metadata as Json }),
  };
}

function blockOf(part: UserPart): Json {
  if (part.type === "text") {
    return { type: "text", text: part.text };
  }
  const { url, mediaType: media_type, filename } = part;
  const data = contentOf(part);
  return {
    type: "data",
    source:
      data === undefined ? { type: "url", url, media_type } : { type: "base64", data, media_type },
    ...(filename !== undefined && { name: filename }),
  };
}
