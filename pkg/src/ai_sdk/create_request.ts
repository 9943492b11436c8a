// Creates requests to a server of the AI SDK.

import type {
  AiSdkMessage,
  AiSdkPart,
  AiSdkRequest,
  AiSdkRequestMessage,
  AiSdkRequestPart,
  Json,
} from "../agentwire.js";
import {
  type ReplyOptionsOf,
  type Decisions,
  type ToolResults,
  answersInOrder,
  approves,
  checkReplies,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { uuid } from "../core/random.js";
import { callsOf } from "./protocol.js";

/** The input of a request: the user's text, or messages. */
export type Input = string | readonly AiSdkRequestMessage[];

/** The other content of a request with tool results or decisions. */
export interface ReplyOptions extends ReplyOptionsOf<Input> {}

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The id of the chat, the same in all its requests. A new UUID by default. */
  readonly chatId?: string | undefined;
}

/**
 * Creates the HTTP request that sends the conversation, for `fetch`, as `DefaultChatTransport` of
 * the AI SDK does.
 *
 * ```js
 * const stream = read(fetch(createRequest("/api/chat", "Weather in Beijing?", { chatId, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, the messages of the conversation, or a whole request
 * @throws AgentwireError `wrong-argument` for any other input, `not-json` for values that JSON
 * cannot represent
 */
export function createRequest(
  url: string | URL,
  input: Input | AiSdkRequest,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["chatId", ...POST_OPTIONS]);
  const { chatId = uuid(), ...how } = options;
  const requestBody =
    typeof input === "string" || Array.isArray(input)
      ? { messages: messagesOf(input) }
      : (Object(input) as AiSdkRequest);
  must(
    Array.isArray(requestBody.messages),
    "wrong-argument",
    "createRequest() takes a text, a list of messages, or a request with `messages`",
  );
  return post(url, { id: chatId, trigger: "submit-message", ...requestBody }, how);
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has the messages of the
 * previous request, the answer and the input.
 *
 * @param previous the previous request
 * @param snapshot the message at the end of its stream
 * @param input the user's next text, or messages
 */
export function nextRequest(
  previous: AiSdkRequest,
  snapshot: AiSdkMessage,
  input: Input = [],
): AiSdkRequest {
  check("nextRequest", { previous: { messages: "list" }, snapshot: { parts: "list" } }, [
    previous,
    snapshot,
  ]);
  return {
    ...previous,
    messages: [...withAnswer(previous.messages ?? [], snapshot), ...messagesOf(input)],
  };
}

/**
 * Returns the next request of a message that called tools of the client: the outputs are added to
 * its calls.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function submitToolResults(
  previous: AiSdkRequest,
  snapshot: AiSdkMessage,
  results: ToolResults,
  more: ReplyOptions = {},
): AiSdkRequest {
  checkReplies("submitToolResults", previous, snapshot, results);
  return answering(previous, snapshot, { ...more, results });
}

/**
 * Returns the next request of a message that asks for approvals. The decisions are added to the
 * calls.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function resume(
  previous: AiSdkRequest,
  snapshot: AiSdkMessage,
  decisions: Decisions,
  more: ReplyOptions = {},
): AiSdkRequest {
  checkReplies("resume", previous, snapshot, decisions);
  return answering(previous, snapshot, { ...more, decisions });
}

function answering(
  previous: AiSdkRequest,
  snapshot: AiSdkMessage,
  { results = {}, decisions = {}, input = [] }: ReplyOptions,
): AiSdkRequest {
  const answers = answersInOrder(callsOf(snapshot), results, decisions);
  const parts = snapshot.parts.map((part): AiSdkPart => {
    const own = answers.find(({ call }) =>
      call.kind === "call"
        ? call.id === part.toolCallId
        : call.id === (part.approval as { id?: string } | undefined)?.id,
    );
    return own === undefined
      ? part
      : ({ ...part, ...answerOf(own.call.kind, part, own.answer) } as AiSdkPart);
  });
  return nextRequest(previous, { ...snapshot, parts }, input);
}

/** Returns the properties of a call that an answer changes. */
export function answerOf(
  kind: "call" | "approval",
  { approval }: AiSdkPart,
  answer: Json,
): Partial<AiSdkPart> {
  if (kind === "call") {
    return { state: "output-available", output: answer };
  }
  const decision = Object(answer) as { readonly [name: string]: Json | undefined };
  const approved = answer === true || approves(decision);
  const reason = typeof decision["reason"] === "string" ? { reason: decision["reason"] } : {};
  return {
    state: "approval-responded",
    approval: { ...(approval as object), approved, ...reason } as Json,
  };
}

/**
 * Returns the messages of a conversation after an answer. The answer to a request with results
 * continues the same message.
 */
function withAnswer(
  messages: readonly AiSdkRequestMessage[],
  { id, metadata, parts }: AiSdkMessage,
): readonly AiSdkRequestMessage[] {
  if (parts.length === 0) {
    return messages;
  }
  const message = {
    ...(id !== "" && { id }),
    role: "assistant",
    ...(metadata !== undefined && { metadata }),
    parts: [...parts] as unknown as AiSdkRequestPart[],
  };
  const last = messages.at(-1);
  if (last?.role !== "assistant") {
    return [...messages, message];
  }
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, ...message.parts] }];
}

/** Returns an input as messages. */
export function messagesOf(input: Input = []): readonly AiSdkRequestMessage[] {
  return typeof input === "string"
    ? [{ id: uuid(), role: "user", parts: [{ type: "text", text: input }] }]
    : input;
}
