// `connect` for OpenAI Responses. If the server stores responses, a request names the last one; otherwise (`store: false`), a request
// contains all items of the conversation.

import type { CreateResponse, Json, ResponsesInput, ResponsesInputItem, ResponsesResponse } from "../agentwire.js";
import { type AgentClient, type SharedConnectOptions, TOOL_OPTIONS, type ToolOptions } from "../connect/agent.js";
import { connected } from "../connect/connection.js";
import type { Dialect } from "../connect/dialect.js";
import { NOT_ANSWERED, functionsOf } from "../connect/tool.js";
import { type StoredShape, either } from "../store/fits.js";
import type { ConversationAnswer } from "../store/state.js";
import { createRequest, itemsOf, nextRequest, submitToolResults } from "./create_request.js";
import { RESPONSES, callsOf } from "./protocol.js";

/** The input of `send`: the user's text, or items. */
export type ResponsesConnectInput = string | readonly ResponsesInputItem[];

/** The options of `connect`. Everything is optional. */
export interface ResponsesConnectOptions extends SharedConnectOptions<"responses", ResponsesConnectInput>, ToolOptions {
  /** Whether the server stores the responses. With `false`, each request contains the whole conversation. */
  readonly store?: boolean | undefined;
  /** Further properties of each request: `model`, `instructions`, `include`, more `tools`. */
  readonly body?: (CreateResponse & { readonly input?: never; readonly stream?: never; readonly store?: never }) | undefined;
}

/** A stored item of the input or the output. */
const ITEM = {
  "type?": "text",
  "id?": "text",
  "call_id?": "text",
  "name?": "text",
  "arguments?": "text",
  "role?": "text",
  "status?": "text",
  "content?": either("text", [{ type: "text", "text?": "text", "refusal?": "text", "annotations?": "list" }]),
  "summary?": [{ type: "text", "text?": "text" }],
} satisfies StoredShape;

/** OpenAI Responses for `connect`. */
export const RESPONSES_DIALECT: Dialect<"responses", ResponsesConnectInput, ResponsesConnectOptions> = {
  protocol: "responses",
  reads: [RESPONSES],
  callsOf,
  options: [...TOOL_OPTIONS, "store", "body"],
  repeats: "all",
  stored: { message: either("text", [ITEM]), snapshot: { id: "text", status: "text", output: [{ type: "text", ...ITEM }] } },
  request(url, { message, answers, turns }, { tools, store, body }, how) {
    const listed = [...functionsOf(tools).map((tool) => ({ type: "function", strict: false, ...tool })), ...(body?.tools ?? [])];
    let request: CreateResponse = { ...body, ...(store !== undefined && { store }), ...(listed.length > 0 && { tools: listed }) };
    let last: ResponsesResponse | undefined;
    // The input and the tool results of a turn without a complete response are sent with the next turn.
    let unsentItems: readonly ResponsesInputItem[] = [];
    let given: readonly ConversationAnswer[] = [];
    for (const turn of turns) {
      given = [...given, ...turn.answers];
      if (turn.status === "done" && turn.snapshot !== undefined) {
        request = next(request, last, given, [...unsentItems, ...items(turn.message)]);
        [last, unsentItems, given] = [turn.snapshot, [], []];
      } else if (turn.status === "aborted") {
        unsentItems = [...unsentItems, ...items(turn.message)];
      }
    }
    const isFirst = last === undefined && unsentItems.length === 0;
    const input = isFirst && typeof message === "string" ? message : [...unsentItems, ...items(message)];
    return { request: createRequest(url, next(request, last, [...given, ...answers], input), how) };
  },
};

/**
 * Creates the client of an agent. Sends no request yet.
 *
 * ```js
 * const agent = connect("/v1/responses", { body: { model: "gpt-5" }, tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { snapshot } of agent.send("Weather in Beijing?")) render(snapshot.output);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(url: string | URL, options: ResponsesConnectOptions = {}): AgentClient<"responses", ResponsesConnectInput> {
  return connected(RESPONSES_DIALECT, url, options);
}

/** Returns the request after a response, with answers to all its pending calls and the input. */
function next(request: CreateResponse, last: ResponsesResponse | undefined, given: readonly ConversationAnswer[], input: ResponsesInput): CreateResponse {
  if (last === undefined) {
    return { ...request, input };
  }
  const pending = (callsOf(last) ?? []).filter(({ pending }) => pending);
  const results: Record<string, Json> = {};
  const decisions: Record<string, Json> = {};
  for (const { kind, id } of pending) {
    const answer = given.find((each) => each.kind === kind && each.id === id);
    if (kind === "call") {
      results[id!] = answer === undefined ? NOT_ANSWERED : answer.value;
    } else {
      const approve = answer?.kind === "approval" && answer.approved;
      decisions[id!] = typeof answer?.value === "string" ? { approve, reason: answer.value } : approve;
    }
  }
  return pending.length === 0 ? nextRequest(request, last, input) : submitToolResults(request, last, results, { decisions, input });
}

function items(message: ResponsesConnectInput | undefined): readonly ResponsesInputItem[] {
  return itemsOf(message as ResponsesInput | undefined);
}
