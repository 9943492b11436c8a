// Creates requests to a server of AG-Kit.

import type { AgKitInputMessage, AgKitTurn, Json, SendMessageInput } from "../agentwire.js";
import {
  type ReplyOptionsOf,
  type Decisions,
  type ToolResults,
  answersInOrder,
  checkReplies,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { stringifyJson, textOf, valueOf } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { uuid } from "../core/random.js";
import { callsOf } from "./protocol.js";

/** The input of a request: the user's text, or messages. */
export type Input = string | readonly AgKitInputMessage[];

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The id of the conversation, the same in all its requests. A new UUID by default. */
  readonly conversationId?: string | undefined;
  /** The tools of the client. */
  readonly tools?: SendMessageInput["tools"] | undefined;
}

/** The other content of a request with tool results or decisions. */
export interface ReplyOptions extends ReplyOptionsOf<Input> {}

/**
 * Creates the HTTP request that sends a message, for `fetch`. The body has the documented form:
 * camelCase names, no null values, and tool parameters and the resume payload as JSON text.
 *
 * ```js
 * const stream = read(fetch(createRequest("/send-message", "Weather in Beijing?", { conversationId, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, messages, or a whole request
 * @throws AgentwireError `wrong-argument` for any other input, `message-without-id` for an
 * assistant message without id, and
 *   `parameters-not-json` if the parameters of a tool are a string that is not JSON
 */
export function createRequest(
  url: string | URL,
  input: Input | SendMessageInput,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["conversationId", "tools", ...POST_OPTIONS]);
  const { conversationId = uuid(), tools, ...how } = options;
  const request =
    typeof input === "string" || Array.isArray(input)
      ? { conversationId, messages: messagesOf(input), ...(tools && { tools }) }
      : (input as SendMessageInput);
  const isRequest =
    typeof request === "object" && request !== null && typeof request.conversationId === "string";
  must(
    isRequest,
    "wrong-argument",
    "createRequest() takes a text, a list of messages, or a request with `conversationId`",
  );
  return post(url, bodyOf(request), how);
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has only the new
 * messages, because the server keeps the others.
 *
 * @param previous the previous request
 * @param snapshot the snapshot at the end of its stream
 */
export function nextRequest(
  previous: SendMessageInput,
  snapshot: AgKitTurn,
  input: Input = [],
): SendMessageInput {
  check("nextRequest", { previous: "object", snapshot: "object" }, [previous, snapshot]);
  const { resume: _, ...rest } = previous;
  return { ...rest, messages: messagesOf(input) };
}

/**
 * Returns the next request of a turn that is `awaiting-tool-results`: one message per call, in the
 * order of the calls.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function submitToolResults(
  previous: SendMessageInput,
  snapshot: AgKitTurn,
  results: ToolResults,
  more: ReplyOptions = {},
): SendMessageInput {
  checkReplies("submitToolResults", previous, snapshot, results);
  return answering(previous, snapshot, { ...more, results });
}

/**
 * Returns the next request of a turn that is `interrupted`. It contains the decision on one
 * question. A decision can be any JSON and is sent as JSON text (a string in quotes), as the
 * official client sends it.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function resume(
  previous: SendMessageInput,
  snapshot: AgKitTurn,
  decisions: Decisions,
  more: ReplyOptions = {},
): SendMessageInput {
  checkReplies("resume", previous, snapshot, decisions);
  return answering(previous, snapshot, { ...more, decisions });
}

function answering(
  previous: SendMessageInput,
  snapshot: AgKitTurn,
  { results = {}, decisions = {}, input = [] }: ReplyOptions,
): SendMessageInput {
  // A request contains one decision. The turn asks the other questions again.
  const calls = callsOf(snapshot)?.filter(
    ({ kind, id }) =>
      kind === "call" || id === Object.keys(decisions)[0] || Object.keys(decisions).length === 0,
  );
  const answers = answersInOrder(calls, results, decisions);
  const messages = answers.flatMap(({ call, answer }): AgKitInputMessage[] =>
    call.kind === "approval"
      ? []
      : [{ role: "tool", content: textOf(answer), toolCallId: call.id }],
  );
  const question = answers.find(({ call }) => call.kind === "approval");
  return {
    ...nextRequest(previous, snapshot, [...messages, ...messagesOf(input)]),
    ...(question && {
      resume: { interruptId: question.call.id, payload: stringifyJson(question.answer) },
    }),
  };
}

/** Returns an input as messages. */
export function messagesOf(input: Input = []): AgKitInputMessage[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : [...input];
}

/** Returns the request in the documented form. */
function bodyOf({ messages, tools, resume, ...rest }: SendMessageInput): object {
  must(
    !messages?.some((message) => message.role === "assistant" && !message.id),
    "message-without-id",
    "createRequest() was given an assistant message without an id",
  );
  return withoutNull({
    messages: (messages ?? []).map(withoutNull),
    tools: tools?.length
      ? tools.map((tool) => ({ ...tool, parameters: parametersOf(tool.name, tool.parameters) }))
      : undefined,
    resume: resume && {
      ...resume,
      payload: isJson(resume.payload) ? resume.payload : stringifyJson(resume.payload),
    },
    ...rest,
  });
}

function parametersOf(tool: string, parameters: Json): string {
  if (typeof parameters !== "string") {
    return stringifyJson(parameters);
  }
  const instead = "give the JSON Schema of the tool's arguments";
  must(
    isJson(parameters),
    "parameters-not-json",
    `the parameters of the tool \`${tool}\` are not JSON text: ${instead}`,
  );
  return parameters;
}

function isJson(value: Json): value is string {
  return typeof value === "string" && valueOf(value) !== undefined;
}

function withoutNull(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member != null));
}
