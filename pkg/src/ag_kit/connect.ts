// `connect` for AG-Kit. The server keeps the conversation, so a request contains only the new
// messages, and at most one decision.

import type { AgKitInputMessage, SendMessageInput } from "../agentwire.js";
import type { Chat } from "../connect/chat.js";
import { type Dialect, repliesToSend, unsentMessages } from "../connect/dialect.js";
import type { UserMessage } from "../connect/exchange.js";
import { type StoredShape, fits } from "../connect/fits.js";
import { createChat } from "../connect/create_chat.js";
import { messageText } from "../connect/message.js";
import {
  type ChangeableOptions,
  type SharedConnectOptions,
  TOOL_OPTIONS,
  type ToolOptions,
} from "../connect/options.js";
import { functionsOf } from "../connect/tool.js";
import { viewOfAnswers } from "../connect/view.js";
import { must } from "../core/errors.js";
import { stringifyJson, textOf } from "../core/json.js";
import { post } from "../http/post.js";
import { AG_KIT, callsOf } from "./protocol.js";
import type { Snapshot } from "../generated/ag_kit/types.js";
import { partsOf } from "./view.js";

/** The options of `connect`. All are optional. */
export interface AgKitConnectOptions extends SharedConnectOptions<"ag-kit">, ToolOptions {
  /** Further properties of each request. */
  readonly body?:
    | (Pick<SendMessageInput, "tools"> & { readonly [member: string]: unknown })
    | undefined;
}

/** The parts, by their type. */
const PARTS: { readonly [type: string]: StoredShape } = {
  text: { text: "text" },
  "tool-call": {
    toolCallId: "text",
    toolCallName: "text",
    state: "text",
    arguments: "text",
    "result?": "text",
  },
  interrupt: { id: "text", "reason?": "text" },
};

/** A stored part. */
const PART: StoredShape = (value) =>
  fits(value, { type: "text" }) && fits(value, PARTS[Object(value).type] ?? "object");

/** AG-Kit for `connect`. */
export const AG_KIT_DIALECT: Dialect<"ag-kit", AgKitConnectOptions> = {
  protocol: "ag-kit",
  reads: [AG_KIT],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  history: "server",
  stored: { status: "text", parts: [PART], pendingToolCallIds: ["text"] },
  view: viewOfAnswers(partsOf),
  request(url, exchange, { tools, body }, how) {
    const { before, conversationId, user } = exchange;
    const replies = repliesToSend(before);
    const results = replies
      .filter(({ kind }) => kind === "call")
      .map(
        ({ id, value }): AgKitInputMessage => ({
          role: "tool",
          toolCallId: id,
          content: textOf(value),
        }),
      );
    const decisions = replies.filter(({ kind }) => kind === "approval");
    // The server asks the other questions again. The next message of the user is sent nevertheless.
    must(
      decisions.length <= 1 || user !== undefined,
      "message-not-sendable",
      "a request of AG-Kit has the answer to one interrupt, and two are answered",
    );
    const decision = decisions.at(-1);
    const resume = decision && {
      interruptId: decision.id,
      payload: stringifyJson({ approved: decision.approved === true, value: decision.value }),
    };
    // The protocol requires the schema as JSON text.
    const functions = functionsOf(tools).map((tool) => ({
      ...tool,
      parameters: stringifyJson(tool.parameters),
    }));
    const listed = [...functions, ...(body?.tools ?? [])];
    // An earlier message with a file has failed for that reason, and the page shows it as failed.
    const messages = [
      ...results,
      ...unsentMessages(exchange)
        .filter((message) => message === user || !hasFile(message))
        .map(userMessage),
    ];
    const requestBody = {
      ...body,
      conversationId,
      messages,
      ...(listed.length > 0 && { tools: listed }),
      ...(resume && { resume }),
    };
    // The server executes calls of other tools.
    return {
      request: post(url, requestBody, how),
      read: { clientTools: listed.map(({ name }) => name) },
    };
  },
};

/**
 * Creates a chat with an agent. Sends no request yet.
 *
 * ```js
 * const chat = connect("/send-message", { tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  url: string | URL,
  options: AgKitConnectOptions = {},
): Chat<Snapshot, ChangeableOptions<AgKitConnectOptions>> {
  return createChat(AG_KIT_DIALECT, url, options);
}

/** Returns a message of the user. The protocol has only texts. */
function userMessage(message: UserMessage): AgKitInputMessage {
  must(
    !hasFile(message),
    "message-not-sendable",
    "a message of AG-Kit has no files: upload the file, and send its address as text",
  );
  return { role: "user", content: messageText({ parts: [...message.parts] }) };
}

function hasFile({ parts }: UserMessage): boolean {
  return parts.some(({ type }) => type === "file");
}
