// Asking a server of OpenAI Responses, and going on with what it has answered.

import type { CreateResponse, Json, ResponsesInput, ResponsesInputItem, ResponsesResponse } from "../agentwire.js";
import { inOrder } from "../answers.js";
import { approves } from "../approval.js";
import { check } from "../arguments.js";
import { AgentwireError } from "../errors.js";
import { stringify } from "../json.js";
import { type PostOptions, post } from "../post.js";
import { callsOf } from "./tool_calls.js";

/**
 * The HTTP request that asks for a response as a stream of events, to be given to `fetch`. (`POST /responses`.)
 *
 * ```js
 * const request = { model: "gpt-5", input: "Weather in Beijing?", tools };
 * const run = read(fetch(createResponseRequest("/v1/responses", request, { signal })), { protocol: "responses", signal });
 * ```
 *
 * @param url where; outside of pages an absolute address
 * @param asked a whole request, as OpenAI's clients take it, or only its input: what the user says, or items. OpenAI's own
 *   server wants a `model`
 * @throws AgentwireError when it is none of them (`wrong-argument`), or has what JSON has not (`not-json`)
 */
export function createResponseRequest(url: string | URL, asked: ResponsesInput | CreateResponse, options: PostOptions = {}): Request {
  const request: CreateResponse = typeof asked === "string" || Array.isArray(asked) ? { input: asked } : Object(asked);
  if (ASKS.every((member) => request[member] == null)) {
    throw new AgentwireError("wrong-argument", "createResponseRequest() takes a text, a list of items, or a request with `input`");
  }
  return post(url, { stream: true, ...request }, options);
}

/** What asks: any of these is enough for a server. */
const ASKS = ["input", "prompt", "conversation", "previous_response_id"] as const;

/**
 * The next request of a conversation: all is as in the request before, but for its input.
 *
 * Where the server has kept the response, the next request names it (`previous_response_id`), or goes to the same `conversation`;
 * where it has not (`store: false`), its input has everything: what was asked, what was answered, and what is new. OpenAI's server takes its reasoning back
 * only if it was asked for with `include: ["reasoning.encrypted_content"]`.
 *
 * @param request what the response answers
 * @param input what is new: what the user says, or items
 */
export function continueResponse(request: CreateResponse, response: ResponsesResponse, input: ResponsesInput = []): CreateResponse {
  check("continueResponse", { request: "object", response: { id: "string", output: "list" } }, [request, response]);
  const { previous_response_id: _, ...rest } = request;
  // Servers that keep nothing say so, also where they were not asked to.
  const { store } = response as { readonly store?: Json };
  if ((request.store ?? store) === false) {
    const answered = response.output as unknown as readonly ResponsesInputItem[];
    return { ...request, input: [...itemsOf(request.input), ...answered, ...itemsOf(input)] };
  }
  return request.conversation == null ? { ...rest, previous_response_id: response.id, input } : { ...rest, input };
}

/**
 * The next request of a response that has left calls to the client, or questions: an item for each of them, in their order, and then
 * what is said besides. Calls of other kinds (shells, patches, computers) are answered by items of {@link continueResponse}.
 *
 * @param answers by the id of `pendingToolCalls`: what a tool came to, as text or as any JSON, which is sent as text; to a question
 *   `true`, or `{ approve, reason }`: all that does not approve, or contradicts itself, declines
 * @throws AgentwireError when a pending call has no answer (`answer-missing`), or an answer no pending call (`not-pending`)
 */
export function answerResponse(
  request: CreateResponse,
  response: ResponsesResponse,
  answers: Readonly<Record<string, Json>>,
  input: ResponsesInput = [],
): CreateResponse {
  check("answerResponse", { request: "object", response: { output: "list" }, answers: "object" }, [request, response, answers]);
  const pending = (callsOf(response) ?? []).filter(({ pending }) => pending);
  const items = inOrder(pending.map(({ id }) => id!), answers).map(([id, answer], at): ResponsesInputItem => {
    if (pending[at]!.kind === "approval") {
      const given = Object(answer) as { readonly approve?: Json; readonly reason?: string };
      const { approve, reason } = given;
      const said = { type: "mcp_approval_response", approval_request_id: id, approve: answer === true || (approve === true && approves(given)) };
      return reason === undefined ? said : { ...said, reason };
    }
    const isCustom = response.output.some((item) => item.type === "custom_tool_call" && item["call_id"] === id);
    const type = isCustom ? "custom_tool_call_output" : "function_call_output";
    return { type, call_id: id, output: typeof answer === "string" ? answer : stringify(answer) };
  });
  return continueResponse(request, response, [...items, ...itemsOf(input)]);
}

/** Returns an input as items. */
export function itemsOf(input: ResponsesInput | null | undefined): readonly ResponsesInputItem[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : (input ?? []);
}
