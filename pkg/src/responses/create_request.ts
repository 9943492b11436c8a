// Asking a server of OpenAI Responses, and going on with what it has answered.

import type { CreateResponse, Json, ResponsesInput, ResponsesInputItem, ResponsesResponse } from "../agentwire.js";
import { type Decisions, type ToolResults, answered, checkAnswers } from "../answers.js";
import { approves } from "../approval.js";
import { check } from "../arguments.js";
import { AgentwireError } from "../errors.js";
import { knownOptions } from "../option_names.js";
import { stringifyJson } from "../json.js";
import { POST_OPTIONS, type PostOptions, post } from "../post.js";
import { callsOf } from "./tool_calls.js";

/** The other parts of a request that answers. */
export interface ResponsesAnswers {
  /** The user's next message, or items. */
  readonly input?: ResponsesInput | undefined;
  /** The results of the tools that the response waits for, where it also asks questions. */
  readonly results?: ToolResults | undefined;
  /** The decisions on the questions that the response asks, where it also waits for tools. */
  readonly decisions?: Decisions | undefined;
}

/**
 * Creates the HTTP request that asks for a response as a stream of events, for `fetch`. (`POST /responses`.)
 *
 * ```js
 * const request = { model: "gpt-5", input: "Weather in Beijing?", tools };
 * const stream = read(fetch(createRequest("/v1/responses", request, { signal })), { signal });
 * ```
 *
 * @param url the address; outside of pages an absolute one
 * @param input a whole request, as OpenAI's clients take it, or only its input: a text of the user, or items. OpenAI's own
 *   server requires a `model`
 * @throws AgentwireError `wrong-argument` for any other input, `not-json` for values that JSON does not have
 */
export function createRequest(url: string | URL, input: ResponsesInput | CreateResponse, options: PostOptions = {}): Request {
  knownOptions("createRequest()", options, [...POST_OPTIONS]);
  const request: CreateResponse = typeof input === "string" || Array.isArray(input) ? { input } : Object(input);
  if (ASKS.every((member) => request[member] == null)) {
    throw new AgentwireError("wrong-argument", "createRequest() takes a text, a list of items, or a request with `input`");
  }
  return post(url, { stream: true, ...request }, options);
}

/** The members of which a request has at least one. */
const ASKS = ["input", "prompt", "conversation", "previous_response_id"] as const;

/**
 * Returns the next request of a conversation, for {@link createRequest}: as the request before, with another input.
 *
 * Where the server has kept the response, the next request names it (`previous_response_id`), or goes to the same `conversation`;
 * where it has not (`store: false`), its input has everything: the input before, the output, and the new input. OpenAI's server accepts
 * its reasoning only if it was asked for with `include: ["reasoning.encrypted_content"]`.
 *
 * @param previous the request before
 * @param snapshot the response at the end of its stream
 * @param input the new input: a text of the user, or items
 */
export function nextRequest(previous: CreateResponse, snapshot: ResponsesResponse, input: ResponsesInput = []): CreateResponse {
  check("nextRequest", { previous: "object", snapshot: { id: "string", output: "list" } }, [previous, snapshot]);
  const { previous_response_id: _, ...rest } = previous;
  // Servers that keep nothing say so, also where they were not asked to.
  const { store } = snapshot as { readonly store?: Json };
  if ((previous.store ?? store) === false) {
    const output = snapshot.output as unknown as readonly ResponsesInputItem[];
    return { ...previous, input: [...itemsOf(previous.input), ...output, ...itemsOf(input)] };
  }
  return previous.conversation == null ? { ...rest, previous_response_id: snapshot.id, input } : { ...rest, input };
}

/**
 * Returns the next request of a response that waits for tools of the client: an item for each call, in their order, and then the new
 * input. Calls of other kinds (shells, patches, computers) are answered by items of {@link nextRequest}.
 *
 * @throws AgentwireError `answer-missing` or `not-pending`
 */
export function submitToolResults(
  previous: CreateResponse,
  snapshot: ResponsesResponse,
  results: ToolResults,
  { decisions = {}, input }: ResponsesAnswers = {},
): CreateResponse {
  checkAnswers("submitToolResults", previous, snapshot, results);
  return answering(previous, snapshot, results, decisions, input);
}

/**
 * Returns the next request of a response that waits for decisions of the user: an item for each question. A decision is `true`, or
 * `{ approve, reason }`; one that contradicts itself declines.
 *
 * @throws AgentwireError `answer-missing` or `not-pending`
 */
export function resume(
  previous: CreateResponse,
  snapshot: ResponsesResponse,
  decisions: Decisions,
  { results = {}, input }: ResponsesAnswers = {},
): CreateResponse {
  checkAnswers("resume", previous, snapshot, decisions);
  return answering(previous, snapshot, results, decisions, input);
}

function answering(
  previous: CreateResponse,
  snapshot: ResponsesResponse,
  results: ToolResults,
  decisions: Decisions,
  input: ResponsesInput = [],
): CreateResponse {
  check("nextRequest", { previous: "object", snapshot: { output: "list" } }, [previous, snapshot]);
  const items = answered(callsOf(snapshot), results, decisions).map(({ call: { id, kind }, answer }): ResponsesInputItem => {
    if (kind === "approval") {
      const given = Object(answer) as { readonly approve?: Json; readonly approved?: Json; readonly reason?: string };
      const isYes = answer === true || ((given.approve ?? given.approved) === true && approves(given));
      const item = { type: "mcp_approval_response", approval_request_id: id, approve: isYes };
      return given.reason === undefined ? item : { ...item, reason: given.reason };
    }
    const isCustom = snapshot.output.some((item) => item.type === "custom_tool_call" && item["call_id"] === id);
    const type = isCustom ? "custom_tool_call_output" : "function_call_output";
    return { type, call_id: id, output: typeof answer === "string" ? answer : stringifyJson(answer) };
  });
  return nextRequest(previous, snapshot, [...items, ...itemsOf(input)]);
}

/** Returns an input as items. */
/** Returns an input as items. */
export function itemsOf(input: ResponsesInput | null | undefined): readonly ResponsesInputItem[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : (input ?? []);
}
