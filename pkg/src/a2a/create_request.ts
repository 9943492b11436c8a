// Asking a server of A2A by JSON-RPC, and going on with what it has answered. (A1, A16, A17.)

import type { A2aInputPart, A2aSendMessageRequest, A2aSnapshot } from "../agentwire.js";
import { type Decisions, type ToolResults, answered } from "../answers.js";
import { check } from "../arguments.js";
import { AgentwireError } from "../errors.js";
import { knownOptions } from "../option_names.js";
import { POST_OPTIONS, type PostOptions, post } from "../post.js";
import { uuid } from "../uuid.js";
import { callsOf } from "./tool_calls.js";

/** How a server of A2A is asked. Everything is optional. */
export interface A2aRequestOptions extends PostOptions {
  /** The version that the server speaks, which its card tells: 1.0 by default. */
  readonly version?: "1.0" | "0.3" | undefined;
}

/** What a client says: a text, or parts. */
export type A2aInput = string | readonly A2aInputPart[];

/** The other parts of a request that answers. */
export interface A2aAnswers {
  /** The user's next message. */
  readonly input?: A2aInput | undefined;
  /** The results of the tools that the agent waits for, where it also asks questions. */
  readonly results?: ToolResults | undefined;
  /** The decisions on the questions that the agent asks, where it also waits for tools. */
  readonly decisions?: Decisions | undefined;
}

/**
 * Creates the HTTP request that sends a message and is answered by a stream, for `fetch`: a call of `SendStreamingMessage`, of 0.3
 * `message/stream`. {@link nextRequest} returns the input of the next one.
 *
 * ```js
 * const stream = read(fetch(createRequest("/a2a", "Delete all files.", { signal })), { signal });
 * ```
 *
 * @param url the address; outside of pages an absolute one
 * @param input a text of the user, parts, or the parameters of the call, in the form of 1.0 in either version
 * @throws AgentwireError `wrong-argument` for any other input
 */
export function createRequest(url: string | URL, input: A2aInput | A2aSendMessageRequest, options: A2aRequestOptions = {}): Request {
  knownOptions("createRequest()", options, ["version", ...POST_OPTIONS]);
  const params = typeof input === "string" || Array.isArray(input) ? saying(input) : (input as A2aSendMessageRequest);
  const { message } = Object(params) as Partial<A2aSendMessageRequest>;
  if (!Array.isArray(message?.parts)) {
    throw new AgentwireError("wrong-argument", "createRequest() takes a text, a list of parts, or parameters with `message`");
  }
  return call(url, "SendStreamingMessage", { ...params, message: { ...message, messageId: message.messageId || uuid() } }, options);
}

/**
 * Creates the HTTP request for a task: it is answered by JSON, `(await response.json()).result`.
 *
 * @param id the task's id
 */
export function getTask(url: string | URL, id: string, options: A2aRequestOptions = {}): Request {
  check("getTask", { id: "string" }, [id]);
  return call(url, "GetTask", { id }, options);
}

/**
 * Creates the HTTP request that cancels a task: it is answered by the task, as JSON. Only this stops a task, not the end of reading.
 *
 * @param id the task's id
 */
export function cancelTask(url: string | URL, id: string, options: A2aRequestOptions = {}): Request {
  check("cancelTask", { id: "string" }, [id]);
  return call(url, "CancelTask", { id }, options);
}

/**
 * Creates the HTTP request that is answered by the stream of a task, from now on, as long as it is at work.
 *
 * @param id the task's id
 */
export function subscribeToTask(url: string | URL, id: string, options: A2aRequestOptions = {}): Request {
  check("subscribeToTask", { id: "string" }, [id]);
  return call(url, "SubscribeToTask", { id }, options);
}

/**
 * Returns the next message of a conversation, for {@link createRequest}: in its context, and on its task if that waits for one. By REST
 * it is the body.
 *
 * @param previous the parameters before, whose `configuration` and `metadata` are kept; undefined for none
 * @param snapshot the snapshot at the end of its stream
 */
export function nextRequest(previous: A2aSendMessageRequest | undefined, snapshot: A2aSnapshot, input: A2aInput): A2aSendMessageRequest {
  check("nextRequest", { previous: "object?", snapshot: "object" }, [previous, snapshot]);
  const { task, message } = snapshot;
  const contextId = task?.contextId ?? message?.contextId;
  const waits = WAITING.has(task?.status?.state);
  const { message: _, ...rest } = previous ?? {};
  return { ...rest, ...saying(input, { ...(contextId && { contextId }), ...(waits && { taskId: task!.id }) }) };
}

/**
 * Returns the next message of an agent that waits for tools of the client: a part of data for each call, in their order, and then the
 * new input.
 *
 * @throws AgentwireError `answer-missing` or `not-pending`
 */
export function submitToolResults(
  previous: A2aSendMessageRequest | undefined,
  snapshot: A2aSnapshot,
  results: ToolResults,
  { decisions = {}, input }: A2aAnswers = {},
): A2aSendMessageRequest {
  check("submitToolResults", { previous: "object?", snapshot: "object", results: "object" }, [previous, snapshot, results]);
  return answering(previous, snapshot, results, decisions, input);
}

/**
 * Returns the next message of a task that waits for decisions: a part of data for each question, in their order. A server that gives
 * its questions no ids, so that there are no `pendingToolCalls`, is answered by {@link nextRequest}.
 *
 * @throws AgentwireError `answer-missing` or `not-pending`
 */
export function resume(
  previous: A2aSendMessageRequest | undefined,
  snapshot: A2aSnapshot,
  decisions: Decisions,
  { results = {}, input }: A2aAnswers = {},
): A2aSendMessageRequest {
  check("resume", { previous: "object?", snapshot: "object", decisions: "object" }, [previous, snapshot, decisions]);
  return answering(previous, snapshot, results, decisions, input);
}

function answering(
  previous: A2aSendMessageRequest | undefined,
  snapshot: A2aSnapshot,
  results: ToolResults,
  decisions: Decisions,
  input: A2aInput = [],
): A2aSendMessageRequest {
  const parts = answered(callsOf(snapshot), results, decisions).map(({ call: { id, kind }, answer }): A2aInputPart =>
    kind === "approval" ? { data: { approval_request_id: id, answer } } : { data: { call_id: id, output: answer } },
  );
  return nextRequest(previous, snapshot, [...parts, ...(typeof input === "string" ? [{ text: input }] : input)]);
}

/** A task of these has closed its stream, and goes on with another message. (A1.) */
const WAITING: ReadonlySet<string | undefined> = new Set(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"]);

/** The methods of 0.3, by their names in 1.0. (A17.) */
const OLD = {
  SendStreamingMessage: "message/stream",
  SubscribeToTask: "tasks/resubscribe",
  GetTask: "tasks/get",
  CancelTask: "tasks/cancel",
} as const;

function saying(input: A2aInput, place: { readonly contextId?: string; readonly taskId?: string } = {}): A2aSendMessageRequest {
  const parts = typeof input === "string" ? [{ text: input }] : [...input];
  return { message: { messageId: uuid(), role: "ROLE_USER", parts, ...place } };
}

function call(
  url: string | URL,
  method: keyof typeof OLD,
  params: { readonly id: string } | A2aSendMessageRequest,
  { version = "1.0", ...how }: A2aRequestOptions,
): Request {
  const isOld = version === "0.3";
  if (!Object.hasOwn(OLD, method) || (!isOld && version !== "1.0")) {
    throw new AgentwireError("wrong-argument", "A2A is spoken in version 1.0 or 0.3, and a task can be subscribed to, got, or canceled");
  }
  const asked = { jsonrpc: "2.0", id: uuid(), method: isOld ? OLD[method] : method, params: isOld && "message" in params ? inOld(params) : params };
  const isStream = method !== "GetTask" && method !== "CancelTask";
  return post(url, asked, how, { "a2a-version": version, ...(isStream ? {} : { accept: "application/json" }) });
}

/** Parameters in the words of 0.3. */
function inOld({ message, configuration, ...rest }: A2aSendMessageRequest): object {
  const { returnImmediately, ...other } = configuration ?? {};
  return {
    ...rest,
    message: { ...message, kind: "message", role: message.role === "ROLE_AGENT" ? "agent" : "user", parts: message.parts.map(oldPart) },
    ...(configuration && { configuration: { ...other, ...(returnImmediately == null ? {} : { blocking: !returnImmediately }) } }),
  };
}

/** Data of 0.3 are objects: any other JSON is the `value` of one, as the official servers write it. */
function oldPart({ text, raw, url, data, filename: name, mediaType: mimeType, metadata }: A2aInputPart): object {
  if (text != null) {
    return { kind: "text", text, metadata };
  }
  if (raw != null || url != null) {
    return { kind: "file", file: { name, mimeType, ...(raw != null ? { bytes: raw } : { uri: url }) }, metadata };
  }
  return typeof data === "object" && data !== null && !Array.isArray(data)
    ? { kind: "data", data, metadata }
    : { kind: "data", data: { value: data }, metadata: { ...metadata, data_part_compat: true } };
}
