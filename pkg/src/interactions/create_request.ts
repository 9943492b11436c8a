// Creates requests to the server of Gemini Interactions.

import type {
  CreateInteraction,
  InteractionsInput,
  InteractionsInteraction,
  InteractionsRequestStep,
  Json,
} from "../agentwire.js";
import {
  type ReplyOptionsOf,
  type ToolResults,
  answersInOrder,
  checkReplies,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { isObject, textOf } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, getStream, post } from "../http/post.js";
import { callsOf } from "./protocol.js";

/** The input of a request: the user's text, a content, or steps or contents. */
export type Input = InteractionsInput;

/** The other content of a request with tool results. */
export type ReplyOptions = Pick<ReplyOptionsOf<Input>, "input">;

/** The options of a request. */
export interface RequestOptions extends PostOptions {
  /** The model, which the server requires unless the request has an agent. */
  readonly model?: string | undefined;
  /** The tools that the model can call. */
  readonly tools?: CreateInteraction["tools"] | undefined;
}

/**
 * Creates the HTTP request for an interaction as a stream of events, for `fetch`.
 * (`POST /v1beta/interactions`.)
 *
 * ```js
 * const url = "https://generativelanguage.googleapis.com/v1beta/interactions";
 * const headers = { "x-goog-api-key": key };
 * const stream = read(fetch(createRequest(url, "Weather in Beijing?", { model, headers, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input a whole request, or only its input: the user's text, or steps
 * @throws AgentwireError `wrong-argument` for any other input, `not-json` for values that JSON
 * cannot represent
 */
export function createRequest(
  url: string | URL,
  input: Input | CreateInteraction,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, ["model", "tools", ...POST_OPTIONS]);
  const { model, tools, ...how } = options;
  const request: CreateInteraction =
    typeof input === "string" || Array.isArray(input) ? { input } : Object(input);
  must(
    ASKS.some((member) => request[member] != null),
    "wrong-argument",
    "createRequest() takes a text, a list of steps, or a request with `input`",
  );
  return post(
    url,
    { ...(model !== undefined && { model }), ...(tools && { tools }), stream: true, ...request },
    how,
  );
}

/** The properties of which a request has at least one. */
const ASKS = ["input", "previous_interaction_id", "continuation_token"] as const;

/**
 * Creates the HTTP request that continues a stream which was cut off, for `fetch`: the server sends
 * the events after the last one that was received. Feed them to the same reader. The interaction
 * must be stored, and its events must have ids (`background: true`).
 *
 * ```js
 * const { id, last_event_id } = decoder.snapshot;
 * const response = await fetch(resumeRequest(url, { id, last_event_id }, { headers }));
 * ```
 *
 * @param url the address of {@link createRequest}
 * @param snapshot the interaction so far
 * @throws AgentwireError `wrong-argument` if the interaction has no id
 */
export function resumeRequest(
  url: string | URL,
  snapshot: Pick<InteractionsInteraction, "id" | "last_event_id">,
  options: PostOptions = {},
): Request {
  knownOptions("resumeRequest()", options, [...POST_OPTIONS]);
  check("resumeRequest", { snapshot: { id: "string" } }, [snapshot]);
  must(
    snapshot.id !== "",
    "wrong-argument",
    "resumeRequest() takes an interaction with an id: the server has not stored this one",
  );
  const [address = "", query] = String(url).split("?");
  const params = new URLSearchParams(query);
  params.set("stream", "true");
  if (snapshot.last_event_id !== undefined) {
    params.set("last_event_id", snapshot.last_event_id);
  }
  const path = `${address.replace(/\/$/, "")}/${encodeURIComponent(snapshot.id)}`;
  return getStream(`${path}?${params}`, options);
}

/**
 * Returns the next request of a conversation, for {@link createRequest}. If the server stores
 * interactions, the next request names the last one (`previous_interaction_id`). Otherwise
 * (`store: false`), its input has the previous input, the steps of the interaction with their
 * signatures, and the new input.
 *
 * @param previous the previous request
 * @param snapshot the interaction at the end of its stream
 * @param input the new input: the user's text, or steps
 */
export function nextRequest(
  previous: CreateInteraction,
  snapshot: InteractionsInteraction,
  input: Input = [],
): CreateInteraction {
  check("nextRequest", { previous: "object", snapshot: { id: "string", steps: "list" } }, [
    previous,
    snapshot,
  ]);
  const { continuation_token: _, ...rest } = previous;
  if (previous.store !== false && snapshot.id !== "") {
    return { ...rest, previous_interaction_id: snapshot.id, input };
  }
  // These properties are not part of the protocol. The input of the client is not its own answer.
  const answer = snapshot.steps
    .filter(({ type }) => type !== "user_input")
    .map(({ partial_arguments: _text, step_usage: _usage, ...step }) => step as object);
  const steps = [...stepsOf(previous.input), ...(answer as InteractionsRequestStep[])];
  return { ...rest, input: [...steps, ...stepsOf(input)] };
}

/**
 * Returns the next request of an interaction that called functions: one step per call with its
 * result, in the order of the calls, and then the input. A result that is not a text is JSON text.
 *
 * @throws AgentwireError `answer-missing` if a pending call has no answer, `not-pending` if an
 * answer matches none
 */
export function submitToolResults(
  previous: CreateInteraction,
  snapshot: InteractionsInteraction,
  results: ToolResults,
  { input = [] }: ReplyOptions = {},
): CreateInteraction {
  checkReplies("submitToolResults", previous, snapshot, results);
  const steps = answersInOrder(callsOf(snapshot), results, {}).map(
    ({ call: { id, name }, answer }): InteractionsRequestStep => ({
      type: "function_result",
      call_id: id,
      name,
      result: textOf(answer),
    }),
  );
  return nextRequest(previous, snapshot, [...steps, ...stepsOf(input)]);
}

/** The types of contents, which can be an input without a step around them. */
const CONTENTS: ReadonlySet<Json | undefined> = new Set([
  "text",
  "image",
  "audio",
  "video",
  "document",
]);

/** Returns an input as steps. */
function stepsOf(input: Input | null | undefined): readonly InteractionsRequestStep[] {
  if (typeof input === "string") {
    return [{ type: "user_input", content: [{ type: "text", text: input }] }];
  }
  const list = (isObject(input) ? [input] : (input ?? [])) as readonly InteractionsRequestStep[];
  const isContent = ({ type }: InteractionsRequestStep): boolean => CONTENTS.has(type);
  return list.length > 0 && list.every(isContent)
    ? [{ type: "user_input", content: list as unknown as Json }]
    : list;
}
