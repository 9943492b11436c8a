// Creates requests to a server of the Agent API.

import type { AgentRequest, InputMessage, Json, Response as Snapshot } from "../agentwire.js";
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
import { isObject, textOf } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { uuid } from "../core/random.js";
import type { RawToolCall } from "../read/tool_call_view.js";
import { callsOf } from "./protocol.js";

/** The input of a request: the user's text, or messages. */
export type Input = string | readonly InputMessage[];

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The id of the conversation, the same in all its requests. A new UUID by default. */
  readonly sessionId?: string | undefined;
  /** The user's id. */
  readonly userId?: string | undefined;
}

/** The other content of a request with tool results or decisions. */
export interface ReplyOptions extends ReplyOptionsOf<Input> {}

/**
 * Creates the HTTP request to an agent, for `fetch`. It has a session id and the content type that
 * servers require.
 *
 * ```js
 * const stream = read(fetch(createRequest("/process", "Weather in Beijing?", { sessionId, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, messages, or a whole request, whose `session_id` and `user_id` take
 * precedence over the options
 * @throws AgentwireError `wrong-argument` for any other input
 */
export function createRequest(
  url: string | URL,
  input: Input | AgentRequest,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["sessionId", "userId", ...POST_OPTIONS]);
  const { sessionId, userId, ...how } = options;
  const request =
    typeof input === "string" || Array.isArray(input)
      ? { input: messagesOf(input) }
      : (input as AgentRequest);
  must(
    typeof request === "object" && request !== null && Array.isArray(request.input),
    "wrong-argument",
    "createRequest() takes a text, a list of messages, or a request with `input`",
  );
  const { session_id, user_id } = request;
  const user = user_id ?? userId;
  return post(
    url,
    {
      ...request,
      session_id: session_id || sessionId || uuid(),
      ...(user === undefined ? {} : { user_id: user }),
    },
    how,
  );
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has the same session
 * and only the new messages, because the server keeps the others.
 *
 * @param previous the previous request
 * @param snapshot the snapshot at the end of its stream
 */
export function nextRequest(
  previous: AgentRequest,
  snapshot: Snapshot,
  input: Input = [],
): AgentRequest {
  check("nextRequest", { previous: "object", snapshot: "object" }, [previous, snapshot]);
  const { id: _, ...rest } = previous;
  const session_id = previous.session_id || snapshot.session_id;
  return { ...rest, ...(session_id && { session_id }), input: messagesOf(input) };
}

/**
 * Returns the next request of a run that waits for tools of the client: one message per call, in
 * the order of the calls.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function submitToolResults(
  previous: AgentRequest,
  snapshot: Snapshot,
  results: ToolResults,
  more: ReplyOptions = {},
): AgentRequest {
  checkReplies("submitToolResults", previous, snapshot, results);
  return answering(previous, snapshot, { ...more, results });
}

/**
 * Returns the next request of a run that waits for decisions of the user: one message per question,
 * in the order of the questions.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function resume(
  previous: AgentRequest,
  snapshot: Snapshot,
  decisions: Decisions,
  more: ReplyOptions = {},
): AgentRequest {
  checkReplies("resume", previous, snapshot, decisions);
  return answering(previous, snapshot, { ...more, decisions });
}

function answering(
  previous: AgentRequest,
  snapshot: Snapshot,
  { results = {}, decisions = {}, input = [] }: ReplyOptions,
): AgentRequest {
  const messages = answersInOrder(callsOf(snapshot), results, decisions).map(({ call, answer }) =>
    answerTo(call, answer),
  );
  return nextRequest(previous, snapshot, [...messages, ...messagesOf(input)]);
}

/** Returns the message with the answer to a call or question. */
export function answerTo(
  { id, name, kind }: Pick<RawToolCall, "id" | "name" | "kind">,
  answer: Json,
): InputMessage {
  if (kind === "approval") {
    const data = { approval_request_id: id, ...decisionOf(answer) };
    return { type: "mcp_approval_response", role: "user", content: [{ type: "data", data }] };
  }
  return {
    type: "function_call_output",
    role: "tool",
    content: [
      {
        type: "data",
        data: { call_id: id, ...(name !== null && { name }), output: textOf(answer) },
      },
    ],
  };
}

/** Returns the properties of an approval's data. */
function decisionOf(answer: Json): { readonly [member: string]: Json } {
  if (typeof answer === "boolean") {
    return { approve: answer };
  }
  if (!isObject(answer)) {
    return { approve: false, payload: answer };
  }
  const { approve: _, approved: __, ...rest } = answer;
  return { ...rest, approve: approves(answer) };
}

/** Returns an input as messages. */
export function messagesOf(input: Input = []): InputMessage[] {
  return typeof input === "string"
    ? [{ role: "user", content: [{ type: "text", text: input }] }]
    : [...input];
}
