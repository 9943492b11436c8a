// Creates requests to a server of OpenAI Chat Completions.

import type { ChatCompletion, ChatRequest, ChatRequestMessage } from "../agentwire.js";
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
export type Input = string | readonly ChatRequestMessage[];

/** The other content of a request with tool results. */
export type ReplyOptions = Pick<ReplyOptionsOf<Input>, "input">;

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The model. Most servers require it. */
  readonly model?: string | undefined;
  /** The tools that the model can call. */
  readonly tools?: ChatRequest["tools"] | undefined;
}

/**
 * Creates the HTTP request for a completion as a stream of chunks, for `fetch`.
 * (`POST /chat/completions`.) It asks for the token usage.
 *
 * ```js
 * const headers = { authorization: `Bearer ${key}` };
 * const stream = read(fetch(createRequest("/v1/chat/completions", "Weather in Beijing?", { model: "gpt-5", headers, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, the messages of the conversation, or a whole request
 * @throws AgentwireError `wrong-argument` for any other input, `not-json` for values that JSON
 * cannot represent
 */
export function createRequest(
  url: string | URL,
  input: Input | ChatRequest,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["model", "tools", ...POST_OPTIONS]);
  const { model, tools, ...how } = options;
  const requestBody =
    typeof input === "string" || Array.isArray(input)
      ? { messages: [...messagesOf(input)] }
      : (Object(input) as ChatRequest);
  must(
    Array.isArray(requestBody.messages),
    "wrong-argument",
    "createRequest() takes a text, a list of messages, or a request with `messages`",
  );
  const request: ChatRequest = {
    ...(model !== undefined && { model }),
    ...(tools && { tools }),
    ...requestBody,
  };
  const streamed =
    request.stream === false ? {} : { stream: true, stream_options: { include_usage: true } };
  return post(url, { ...streamed, ...request }, how);
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has the messages of the
 * previous request, the answer of the first choice with its reasoning, and the input.
 *
 * @param previous the previous request
 * @param snapshot the completion at the end of its stream
 * @param input the user's next text, or messages
 */
export function nextRequest(
  previous: ChatRequest,
  snapshot: ChatCompletion,
  input: Input = [],
): ChatRequest {
  check("nextRequest", { previous: { messages: "list" }, snapshot: { choices: "list" } }, [
    previous,
    snapshot,
  ]);
  return {
    ...previous,
    messages: [...(previous.messages ?? []), ...replyIn(snapshot), ...messagesOf(input)],
  };
}

/**
 * Returns the next request of a completion that called tools: one message per call, in the order of
 * the calls, and then the input.
 *
 * @throws AgentwireError `answer-missing` if a pending call has no answer, `not-pending` if an
 * answer matches none
 */
export function submitToolResults(
  previous: ChatRequest,
  snapshot: ChatCompletion,
  results: ToolResults,
  { input = [] }: ReplyOptions = {},
): ChatRequest {
  checkReplies("submitToolResults", previous, snapshot, results);
  const answers = answersInOrder(callsOf(snapshot), results, {}).map(
    ({ call, answer }): ChatRequestMessage => ({
      role: "tool",
      tool_call_id: call.id,
      content: textOf(answer),
    }),
  );
  return nextRequest(previous, snapshot, [...answers, ...messagesOf(input)]);
}

/**
 * Returns the message of the first choice as a message of a request, with its reasoning: some
 * servers require it.
 */
function replyIn({ choices: [choice] }: ChatCompletion): readonly ChatRequestMessage[] {
  if (choice === undefined) {
    return [];
  }
  const { refusal, audio, ...message } = choice.message;
  const reply = {
    ...message,
    role: "assistant",
    ...(refusal !== null && { refusal }),
    // A request refers to a spoken answer by its id.
    ...(audio != null && { audio: { id: Object(audio).id } }),
  };
  return [reply as unknown as ChatRequestMessage];
}

function messagesOf(input: Input): readonly ChatRequestMessage[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}
