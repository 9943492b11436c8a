// Creates requests to the server of Anthropic Messages.

import type {
  AnthropicMessage,
  AnthropicRequestBlock,
  AnthropicRequestMessage,
  MessagesRequest,
} from "../agentwire.js";
import {
  type ReplyOptionsOf,
  type ToolResults,
  answersInOrder,
  checkReplies,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { textOf } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { callsOf } from "./protocol.js";

/** The input of a request: the user's text, or messages. */
export type Input = string | readonly AnthropicRequestMessage[];

/** The other content of a request with tool results. */
export type ReplyOptions = Pick<ReplyOptionsOf<Input>, "input">;

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The model, which the server requires. */
  readonly model?: string | undefined;
  /** The maximum number of output tokens, 4096 by default. */
  readonly maxTokens?: number | undefined;
  /** The tools that the model can call. */
  readonly tools?: MessagesRequest["tools"] | undefined;
}

/**
 * Creates the HTTP request for a message as a stream of events, for `fetch`. (`POST /v1/messages`.)
 *
 * ```js
 * const headers = { "x-api-key": key, "anthropic-version": "2023-06-01" };
 * const stream = read(fetch(createRequest("/v1/messages", "Weather in Beijing?", { model, headers, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, the messages of the conversation, or a whole request
 * @throws AgentwireError `wrong-argument` for any other input, `not-json` for values that JSON
 * cannot represent
 */
export function createRequest(
  url: string | URL,
  input: Input | MessagesRequest,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["model", "maxTokens", "tools", ...POST_OPTIONS]);
  const { model, maxTokens = 4096, tools, ...how } = options;
  const requestBody =
    typeof input === "string" || Array.isArray(input)
      ? { messages: messagesOf(input) }
      : (Object(input) as MessagesRequest);
  must(
    Array.isArray(requestBody.messages),
    "wrong-argument",
    "createRequest() takes a text, a list of messages, or a request with `messages`",
  );
  return post(
    url,
    {
      ...(model !== undefined && { model }),
      max_tokens: maxTokens,
      ...(tools && { tools }),
      stream: true,
      ...requestBody,
    },
    how,
  );
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has the messages of the
 * previous request, the blocks of the answer with the signatures of its thinking, and the input.
 *
 * @param previous the previous request
 * @param snapshot the message at the end of its stream
 * @param input the user's next text, or messages
 */
export function nextRequest(
  previous: MessagesRequest,
  snapshot: AnthropicMessage,
  input: Input = [],
): MessagesRequest {
  check("nextRequest", { previous: { messages: "list" }, snapshot: { content: "list" } }, [
    previous,
    snapshot,
  ]);
  // `partial_json` is not part of the protocol, and the server rejects a message without blocks.
  const content = snapshot.content.map(
    ({ partial_json: _, ...block }) => block as unknown as AnthropicRequestBlock,
  );
  const reply: readonly AnthropicRequestMessage[] =
    content.length === 0 ? [] : [{ role: "assistant", content }];
  const after = [...reply, ...messagesOf(input)];
  if (isCompacted(snapshot)) {
    const { compaction: _, ...rest } = previous as MessagesRequest & { compaction?: unknown };
    return { ...rest, messages: after };
  }
  return { ...previous, messages: [...(previous.messages ?? []), ...after] };
}

/** Whether the answer is a signed compaction, which replaces the messages that it summarizes. (C28) */
function isCompacted({ stop_reason: reason, content }: AnthropicMessage): boolean {
  const isSummary = (block: unknown) => {
    const { type, content: summary, signature } = block as Readonly<Record<string, unknown>>;
    return type === "compaction" && Boolean(summary) && Boolean(signature);
  };
  return reason === "compaction" && content.some(isSummary);
}

/**
 * Returns the next request of a message that called tools: one message of the user with the
 * results, in the order of the calls, and then the input.
 *
 * @throws AgentwireError `answer-missing` if a pending call has no answer, `not-pending` if an
 * answer matches none
 */
export function submitToolResults(
  previous: MessagesRequest,
  snapshot: AnthropicMessage,
  results: ToolResults,
  { input = [] }: ReplyOptions = {},
): MessagesRequest {
  checkReplies("submitToolResults", previous, snapshot, results);
  const blocks = answersInOrder(callsOf(snapshot), results, {}).map(
    ({ call, answer }): AnthropicRequestBlock => ({
      type: "tool_result",
      tool_use_id: call.id,
      content: textOf(answer),
    }),
  );
  return nextRequest(previous, snapshot, [{ role: "user", content: blocks }, ...messagesOf(input)]);
}

function messagesOf(input: Input): readonly AnthropicRequestMessage[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}
