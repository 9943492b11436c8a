// Creates requests to the server of Gemini.

import type {
  GeminiRequestContent,
  GeminiRequestPart,
  GeminiResponse,
  GenerateContentRequest,
} from "../agentwire.js";
import {
  type ReplyOptionsOf,
  type ToolResults,
  answersInOrder,
  checkReplies,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { isObject } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { callsOf } from "./protocol.js";

/** The input of a request: the user's text, or messages. */
export type Input = string | readonly GeminiRequestContent[];

/** The other content of a request with tool results. */
export type ReplyOptions = Pick<ReplyOptionsOf<Input>, "input">;

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The tools that the model can call. */
  readonly tools?: GenerateContentRequest["tools"] | undefined;
  /** The settings of the model. */
  readonly generationConfig?: GenerateContentRequest["generationConfig"] | undefined;
}

/**
 * Creates the HTTP request for a response as a stream of events, for `fetch`.
 * (`POST /v1beta/models/{model}:streamGenerateContent?alt=sse`.)
 *
 * ```js
 * const url = `https://generativelanguage.googleapis.com/v1beta/models/${model}:streamGenerateContent?alt=sse`;
 * const stream = read(fetch(createRequest(url, "Weather in Beijing?", { headers: { "x-goog-api-key": key }, signal })), { signal });
 * ```
 *
 * @param url the address, which has the name of the model, and `alt=sse`. Outside of pages it must
 * be absolute
 * @param input the user's text, the messages of the conversation, or a whole request
 * @throws AgentwireError `wrong-argument` for any other input, `not-json` for values that JSON
 * cannot represent
 */
export function createRequest(
  url: string | URL,
  input: Input | GenerateContentRequest,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["tools", "generationConfig", ...POST_OPTIONS]);
  const { tools, generationConfig, ...how } = options;
  const requestBody =
    typeof input === "string" || Array.isArray(input)
      ? { contents: [...contentsOf(input)] }
      : (Object(input) as GenerateContentRequest);
  must(
    Array.isArray(requestBody.contents),
    "wrong-argument",
    "createRequest() takes a text, a list of messages, or a request with `contents`",
  );
  return post(
    url,
    { ...(tools && { tools }), ...(generationConfig && { generationConfig }), ...requestBody },
    how,
  );
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has the messages of the
 * previous request, the parts of the first candidate with their signatures, and the input.
 *
 * @param previous the previous request
 * @param snapshot the response at the end of its stream
 * @param input the user's next text, or messages
 */
export function nextRequest(
  previous: GenerateContentRequest,
  snapshot: GeminiResponse,
  input: Input = [],
): GenerateContentRequest {
  check("nextRequest", { previous: { contents: "list" }, snapshot: { candidates: "list" } }, [
    previous,
    snapshot,
  ]);
  // The server rejects a message without parts.
  const parts = (snapshot.candidates[0]?.content.parts ?? []).map(
    (part) => part as object as GeminiRequestPart,
  );
  const reply: readonly GeminiRequestContent[] =
    parts.length === 0 ? [] : [{ role: "model", parts }];
  return { ...previous, contents: [...(previous.contents ?? []), ...reply, ...contentsOf(input)] };
}

/**
 * Returns the next request of a response that called functions: one message of the user with the
 * results, in the order of the calls, and then the input. A result that is not an object is the
 * property `output` of one.
 *
 * @throws AgentwireError `answer-missing` if a pending call has no answer, `not-pending` if an
 * answer matches none
 */
export function submitToolResults(
  previous: GenerateContentRequest,
  snapshot: GeminiResponse,
  results: ToolResults,
  { input = [] }: ReplyOptions = {},
): GenerateContentRequest {
  checkReplies("submitToolResults", previous, snapshot, results);
  // Ids that are made of places are not sent.
  const own = new Set(
    snapshot.candidates[0]?.content.parts.map(({ functionCall }) => functionCall?.id),
  );
  const parts = answersInOrder(callsOf(snapshot), results, {}).map(
    ({ call: { id, name }, answer }): GeminiRequestPart => {
      const response = isObject(answer) ? answer : { output: answer };
      return { functionResponse: { ...(own.has(id) && { id }), name, response } };
    },
  );
  return nextRequest(previous, snapshot, [{ role: "user", parts }, ...contentsOf(input)]);
}

function contentsOf(input: Input): readonly GeminiRequestContent[] {
  return typeof input === "string" ? [{ role: "user", parts: [{ text: input }] }] : input;
}
