// Creates requests to a server of AgentScope.

import type { AgentScopeReply, AgentScopeRequest, Json } from "../agentwire.js";
import {
  type Decisions,
  type ReplyOptionsOf,
  type ToolResults,
  answersInOrder,
  approves,
  checkReplies,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { isObject, textOf } from "../core/json.js";
import { uuid } from "../core/random.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { callsOf } from "./protocol.js";

/** A message (`Msg`) or an event of a request. */
export type InputValue = { readonly [member: string]: Json };

/** The input of a request: the user's text, a message or an event, or a list of messages. */
export type Input = string | InputValue | readonly InputValue[];

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The id of the agent; empty by default. */
  readonly agentId?: string | undefined;
  /** The id of the session, the same in all requests of a conversation. A new UUID by default. */
  readonly sessionId?: string | undefined;
}

/** The other content of a request with tool results or decisions. */
export interface ReplyOptions extends ReplyOptionsOf<never> {}

/**
 * Creates the HTTP request that sends a message, for `fetch`. An agent of agentwire answers it with
 * the stream. The service of AgentScope only starts the reply: `connect` reads it.
 *
 * ```js
 * const stream = read(fetch(createRequest("/chat/", "Weather in Beijing?", { sessionId, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, messages, an event, or a whole request
 * @throws AgentwireError `wrong-argument` for any other input
 */
export function createRequest(
  url: string | URL,
  input: Input | AgentScopeRequest,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["agentId", "sessionId", ...POST_OPTIONS]);
  const { agentId = "", sessionId = uuid(), ...how } = options;
  const isText = typeof input === "string";
  must(
    isText || (typeof input === "object" && input !== null),
    "wrong-argument",
    "createRequest() takes a text, a message, an event, a list of messages, or a request with `session_id`",
  );
  const isRequest = !isText && !Array.isArray(input) && "session_id" in input;
  const request = isRequest
    ? (input as AgentScopeRequest)
    : { agent_id: agentId, session_id: sessionId, input: isText ? userMessage(input) : input };
  return post(url, request, how);
}

/** Returns a text as a message of the user. */
export function userMessage(text: string): InputValue {
  return { name: "user", role: "user", content: [{ type: "text", text }] };
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has only the new
 * message, because the server keeps the others.
 *
 * @param previous the previous request
 * @param snapshot the snapshot at the end of its stream
 */
export function nextRequest(
  previous: AgentScopeRequest,
  snapshot: AgentScopeReply,
  input: Input = [],
): AgentScopeRequest {
  check("nextRequest", { previous: "object", snapshot: "object" }, [previous, snapshot]);
  return { ...previous, input: (typeof input === "string" ? userMessage(input) : input) as Json };
}

/**
 * Returns the next request of a reply whose calls wait for the client.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function submitToolResults(
  previous: AgentScopeRequest,
  snapshot: AgentScopeReply,
  results: ToolResults,
  more: ReplyOptions = {},
): AgentScopeRequest {
  checkReplies("submitToolResults", previous, snapshot, results);
  return answering(previous, snapshot, { ...more, results });
}

/**
 * Returns the next request of a reply whose calls wait for the user. AgentScope's answers are yes or
 * no.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function resume(
  previous: AgentScopeRequest,
  snapshot: AgentScopeReply,
  decisions: Decisions,
  more: ReplyOptions = {},
): AgentScopeRequest {
  checkReplies("resume", previous, snapshot, decisions);
  return answering(previous, snapshot, { ...more, decisions });
}

function answering(
  previous: AgentScopeRequest,
  snapshot: AgentScopeReply,
  { results = {}, decisions = {} }: ReplyOptions,
): AgentScopeRequest {
  const answers = answersInOrder(callsOf(snapshot), results, decisions);
  const events = answerEvents(
    snapshot,
    answers.map(({ call: { id, kind }, answer }) => ({
      id,
      kind,
      value: answer,
      approved: answer === true || (isObject(answer) && approves(answer)),
    })),
  );
  return { ...previous, input: (events.length === 1 ? events[0]! : events) as Json };
}

/** An answer of the client to a call or a question of a reply. */
export interface Answer {
  readonly id: string;
  readonly kind: "call" | "approval";
  readonly value: Json;
  readonly approved?: boolean | undefined;
  readonly isError?: boolean | undefined;
}

/** Returns the events that answer a reply: one with the decisions, one with the results. */
export function answerEvents(
  { id: reply_id, content }: AgentScopeReply,
  answers: readonly Answer[],
): InputValue[] {
  const calls = new Map(
    content.flatMap((block) => (block.type === "tool_call" ? [[block.id, block] as const] : [])),
  );
  const confirm_results = answers
    .filter(({ kind }) => kind === "approval")
    .map(({ id, approved }) => {
      const { name = "", input = "{}" } = calls.get(id) ?? {};
      return { confirmed: approved === true, tool_call: { type: "tool_call", id, name, input } };
    });
  const execution_results = answers
    .filter(({ kind }) => kind === "call")
    .map(({ id, value, isError }) => ({
      type: "tool_result",
      id,
      name: calls.get(id)?.name ?? "",
      output: [{ type: "text", text: textOf(value) }],
      state: isError ? "error" : "success",
    }));
  const event = (type: string, name: string, results: readonly Json[]): InputValue[] =>
    results.length === 0 ? [] : [{ id: uuid(), type, reply_id, [name]: [...results] }];
  return [
    ...event("USER_CONFIRM_RESULT", "confirm_results", confirm_results),
    ...event("EXTERNAL_EXECUTION_RESULT", "execution_results", execution_results),
  ];
}
