// `connect` for the Agent API. The server keeps the conversation, so a request contains only the
// new messages.

import type { AgentRequest, InputMessage, Json } from "../agentwire.js";
import type { Chat } from "../connect/chat.js";
import { type Dialect, repliesToSend, unsentMessages } from "../connect/dialect.js";
import type { Reply, UserMessage } from "../connect/exchange.js";
import { createChat } from "../connect/create_chat.js";
import type { FilePart, UserPart } from "../connect/message.js";
import {
  type ChangeableOptions,
  type SharedConnectOptions,
  TOOL_OPTIONS,
  type ToolOptions,
} from "../connect/options.js";
import { functionsOf } from "../connect/tool.js";
import { audioFormat, contentOf, kindOf } from "../connect/user_parts.js";
import { viewOfAnswers } from "../connect/view.js";
import { post } from "../http/post.js";
import { answerTo } from "./create_request.js";
import { AGENT_API, callsOf } from "./protocol.js";
import type { Snapshot } from "../generated/agent_api/types.js";
import { partsOf } from "./view.js";

/** The options of `connect`. All are optional. */
export interface AgentApiConnectOptions extends SharedConnectOptions<"agent-api">, ToolOptions {
  /** Further properties of each request: `user_id`, `model` and others. */
  readonly body?:
    | (Partial<AgentRequest> & { readonly input?: never; readonly session_id?: never })
    | undefined;
}

/** The Agent API for `connect`. */
export const AGENT_API_DIALECT: Dialect<"agent-api", AgentApiConnectOptions> = {
  protocol: "agent-api",
  reads: [AGENT_API],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  history: "server",
  stored: {
    status: "text",
    output: [{ type: "text", content: [{ type: "text", "data?": "any", "text?": "text" }] }],
  },
  view: viewOfAnswers(partsOf),
  request(url, exchange, { tools, body }, how) {
    const functions = functionsOf(tools).map((tool) => ({ type: "function", function: tool }));
    const listed = [...functions, ...(body?.tools ?? [])];
    const input = [
      ...repliesToSend(exchange.before).map(replyMessage),
      ...unsentMessages(exchange).map(userMessage),
    ];
    return {
      request: post(
        url,
        {
          ...body,
          session_id: exchange.conversationId,
          input,
          ...(listed.length > 0 && { tools: listed }),
        },
        how,
      ),
    };
  },
};

/**
 * Creates a chat with an agent. Sends no request yet.
 *
 * ```js
 * const chat = connect("/process", { tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  url: string | URL,
  options: AgentApiConnectOptions = {},
): Chat<Snapshot, ChangeableOptions<AgentApiConnectOptions>> {
  return createChat(AGENT_API_DIALECT, url, options);
}

/**
 * Returns the message with a reply. A text of a decision is its reason, another value its payload.
 */
function replyMessage(reply: Reply): InputMessage {
  const { kind, value, approved } = reply;
  if (kind === "call") {
    return answerTo(reply, value);
  }
  const more: { readonly [member: string]: Json } =
    typeof value === "string" ? { reason: value } : value == null ? {} : { payload: value };
  return answerTo(reply, { approve: approved === true, ...more });
}

function userMessage({ id, parts, metadata }: UserMessage): InputMessage {
  return {
    id,
    role: "user",
    content: parts.map(inputOf) as NonNullable<InputMessage["content"]>,
    ...(metadata && { metadata: { ...metadata } }),
  };
}

function inputOf(part: UserPart): object {
  return part.type === "text" ? { type: "text", text: part.text } : fileOf(part);
}

/**
 * Returns a file as a content: its bytes where the type has them in base64, and its URL otherwise,
 * which can be a data URL.
 */
function fileOf(part: FilePart): object {
  const { url, mediaType, filename } = part;
  const base64 = contentOf(part);
  const name = filename !== undefined && { filename };
  switch (kindOf(part)) {
    case "image":
      return { type: "image", image_url: url, ...name };
    case "video":
      return { type: "video", video_url: url, ...name };
    case "audio":
      return { type: "audio", data: base64 ?? url, format: audioFormat(part), ...name };
    default:
      return {
        type: "file",
        ...(base64 === undefined ? { file_url: url } : { file_data: base64 }),
        media_type: mediaType,
        ...name,
      };
  }
}
