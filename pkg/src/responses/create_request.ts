// Creates requests to a server of OpenAI Responses.

import type {
  CreateResponse,
  Json,
  ResponsesInput,
  ResponsesInputItem,
  ResponsesItem,
  ResponsesResponse,
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
import { textOf } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { callsOf } from "./protocol.js";

export type { ResponsesInput as Input } from "../agentwire.js";
export type { PostOptions as RequestOptions } from "../http/post.js";

/** The other content of a request with tool results or decisions. */
export interface ReplyOptions extends ReplyOptionsOf<ResponsesInput> {}

/**
 * Creates the HTTP request for a response as a stream of events, for `fetch`. (`POST /responses`.)
 *
 * ```js
 * const request = { model: "gpt-5", input: "Weather in Beijing?", tools };
 * const stream = read(fetch(createRequest("/v1/responses", request, { signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input a whole request, as OpenAI's clients accept it, or only its input: the user's text,
 * or items. OpenAI's own server
 *   requires `model`
 * @throws AgentwireError `wrong-argument` for any other input, `not-json` for values that JSON
 * cannot represent
 */
export function createRequest(
  url: string | URL,
  input: ResponsesInput | CreateResponse,
  options: PostOptions = {},
): Request {
  knownOptions("createRequest()", options, [...POST_OPTIONS]);
  const request: CreateResponse =
    typeof input === "string" || Array.isArray(input) ? { input } : Object(input);
  must(
    ASKS.some((member) => request[member] != null),
    "wrong-argument",
    "createRequest() takes a text, a list of items, or a request with `input`",
  );
  return post(url, { stream: true, ...request }, options);
}

/** The properties of which a request has at least one. */
const ASKS = ["input", "prompt", "conversation", "previous_response_id"] as const;

/**
 * Returns the next request of a conversation, for {@link createRequest}. It has the properties of
 * the previous request and a new input.
 *
 * If the server stores responses, the next request names the last one (`previous_response_id`) or
 * the same `conversation`. Otherwise (`store: false`), its input contains the previous input, the
 * output and the new input. OpenAI's server accepts its reasoning items back only if the previous
 * request had `include: ["reasoning.encrypted_content"]`.
 *
 * @param previous the previous request
 * @param snapshot the response at the end of its stream
 * @param input the new input: the user's text, or items
 */
export function nextRequest(
  previous: CreateResponse,
  snapshot: ResponsesResponse,
  input: ResponsesInput = [],
): CreateResponse {
  check("nextRequest", { previous: "object", snapshot: { id: "string", output: "list" } }, [
    previous,
    snapshot,
  ]);
  const { previous_response_id: _, ...rest } = previous;
  // Servers that store nothing send `store: false` even if the request did not ask for it.
  const { store } = snapshot as { readonly store?: Json };
  if ((previous.store ?? store) === false) {
    const output = snapshot.output as unknown as readonly ResponsesInputItem[];
    return { ...previous, input: [...itemsOf(previous.input), ...output, ...itemsOf(input)] };
  }
  return previous.conversation == null
    ? { ...rest, previous_response_id: snapshot.id, input }
    : { ...rest, input };
}

/**
 * Returns the next request of a response that waits for tools of the client: one item per call, in
 * the order of the calls, and then the new input. To answer calls of other kinds (shells, patches,
 * computers), pass items to {@link nextRequest}.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function submitToolResults(
  previous: CreateResponse,
  snapshot: ResponsesResponse,
  results: ToolResults,
  more: ReplyOptions = {},
): CreateResponse {
  checkReplies("submitToolResults", previous, snapshot, results);
  return answering(previous, snapshot, { ...more, results });
}

/**
 * Returns the next request of a response that waits for decisions of the user: one item per
 * question. A decision is a boolean or `{ approve, reason }`. A decision whose properties
 * contradict each other declines.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function resume(
  previous: CreateResponse,
  snapshot: ResponsesResponse,
  decisions: Decisions,
  more: ReplyOptions = {},
): CreateResponse {
  checkReplies("resume", previous, snapshot, decisions);
  return answering(previous, snapshot, { ...more, decisions });
}

function answering(
  previous: CreateResponse,
  snapshot: ResponsesResponse,
  { results = {}, decisions = {}, input = [] }: ReplyOptions,
): CreateResponse {
  check("nextRequest", { previous: "object", snapshot: { output: "list" } }, [previous, snapshot]);
  return nextRequest(previous, snapshot, [
    ...answerItems(snapshot, results, decisions),
    ...itemsOf(input),
  ]);
}

/** Returns the items that answer the pending calls and questions of a response, in their order. */
export function answerItems(
  snapshot: ResponsesResponse,
  results: ToolResults,
  decisions: Decisions,
): readonly ResponsesInputItem[] {
  return answersInOrder(callsOf(snapshot), results, decisions).map(
    ({ call: { id, kind, holder }, answer }): ResponsesInputItem => {
      if (kind === "approval") {
        const decision = Object(answer) as {
          readonly approve?: Json;
          readonly approved?: Json;
          readonly reason?: string;
        };
        const isYes =
          answer === true ||
          ((decision.approve ?? decision.approved) === true && approves(decision));
        const item = { type: "mcp_approval_response", approval_request_id: id, approve: isYes };
        return decision.reason === undefined ? item : { ...item, reason: decision.reason };
      }
      return outputItem(holder as ResponsesItem, id, textOf(answer));
    },
  );
}

/** Returns the output of a call as an item. */
export function outputItem(
  { type }: ResponsesItem,
  callId: string,
  output: string,
): ResponsesInputItem {
  return {
    type: type === "custom_tool_call" ? "custom_tool_call_output" : "function_call_output",
    call_id: callId,
    output,
  };
}

/** Returns an input as items. */
export function itemsOf(input: ResponsesInput | null | undefined): readonly ResponsesInputItem[] {
  return typeof input === "string"
    ? [{ type: "message", role: "user", content: input }]
    : (input ?? []);
}
