// Creates JSON-RPC requests to a server of A2A. (A1, A16, A17.)

import type { A2aInputPart, A2aSendMessageRequest, A2aSnapshot } from "../agentwire.js";
import {
  type ReplyOptionsOf,
  type Decisions,
  type ToolResults,
  answersInOrder,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { isObject } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { uuid } from "../core/random.js";
import { callsOf } from "./protocol.js";

/** The options of a request. Everything is optional. */
export interface RequestOptions extends PostOptions {
  /** The protocol version in the server's agent card. 1.0 by default. */
  readonly version?: "1.0" | "0.3" | undefined;
}

/** The input of a request: the user's text, or parts. */
export type Input = string | readonly A2aInputPart[];

/** The other content of a request with tool results or decisions. */
export interface ReplyOptions extends ReplyOptionsOf<Input> {}

/**
 * Creates the HTTP request that sends a message and receives a stream, for `fetch`. The method is
 * `SendStreamingMessage` (`message/stream` in version 0.3). {@link nextRequest} returns the input
 * of the next request.
 *
 * ```js
 * const stream = read(fetch(createRequest("/a2a", "Delete all files.", { signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, parts, or the parameters of the call, always in the form of version
 * 1.0
 * @throws AgentwireError `wrong-argument` for any other input
 */
export function createRequest(
  url: string | URL,
  input: Input | A2aSendMessageRequest,
  options: RequestOptions = {},
): Request {
  const params =
    typeof input === "string" || Array.isArray(input)
      ? messageRequest(input)
      : (input as A2aSendMessageRequest);
  const { message } = Object(params) as Partial<A2aSendMessageRequest>;
  must(
    Array.isArray(message?.parts),
    "wrong-argument",
    "createRequest() takes a text, a list of parts, or parameters with `message`",
  );
  return callRequest(
    url,
    "SendStreamingMessage",
    { ...params, message: { ...message, messageId: message.messageId || uuid() } },
    options,
  );
}

/**
 * Creates the HTTP request for a task. The response is JSON: `(await response.json()).result` is
 * the task.
 *
 * @param id the task's id
 */
export function getTask(url: string | URL, id: string, options: RequestOptions = {}): Request {
  check("getTask", { id: "string" }, [id]);
  return callRequest(url, "GetTask", { id }, options);
}

/**
 * Creates the HTTP request that cancels a task. The response is the task as JSON. Only this request
 * stops a task; the end of a connection does not.
 *
 * @param id the task's id
 */
export function cancelTask(url: string | URL, id: string, options: RequestOptions = {}): Request {
  check("cancelTask", { id: "string" }, [id]);
  return callRequest(url, "CancelTask", { id }, options);
}

/**
 * Creates the HTTP request for the stream of a running task. The stream contains the current task
 * and the following events.
 *
 * @param id the task's id
 */
export function subscribeToTask(
  url: string | URL,
  id: string,
  options: RequestOptions = {},
): Request {
  check("subscribeToTask", { id: "string" }, [id]);
  return callRequest(url, "SubscribeToTask", { id }, options);
}

/**
 * Returns the next message of a conversation, for {@link createRequest}. It has the context of the
 * snapshot, and its task if that waits for a message. In the REST binding the result is the body of
 * the request.
 *
 * @param previous the previous parameters, whose `configuration` and `metadata` are kept; undefined
 * for the first request
 * @param snapshot the snapshot at the end of its stream
 */
export function nextRequest(
  previous: A2aSendMessageRequest | undefined,
  snapshot: A2aSnapshot,
  input: Input,
): A2aSendMessageRequest {
  check("nextRequest", { previous: "object?", snapshot: "object" }, [previous, snapshot]);
  const { task, message } = snapshot;
  const contextId = task?.contextId ?? message?.contextId;
  const waits = WAITING.has(task?.status?.state);
  const { message: _, ...rest } = previous ?? {};
  return {
    ...rest,
    ...messageRequest(input, {
      ...(contextId && { contextId }),
      ...(waits && { taskId: task!.id }),
    }),
  };
}

/**
 * Returns the next message to an agent that waits for tools of the client: one data part per call,
 * in the order of the calls, and then the new input.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function submitToolResults(
  previous: A2aSendMessageRequest | undefined,
  snapshot: A2aSnapshot,
  results: ToolResults,
  more: ReplyOptions = {},
): A2aSendMessageRequest {
  check("submitToolResults", { previous: "object?", snapshot: "object", results: "object" }, [
    previous,
    snapshot,
    results,
  ]);
  return answering(previous, snapshot, { ...more, results });
}

/**
 * Returns the next message to a task that waits for decisions: one data part per question, in the
 * order of the questions. If the server sends questions without ids, `pendingToolCalls` is empty;
 * answer with {@link nextRequest}.
 *
 * @throws AgentwireError `answer-missing` if a pending call or question has no answer,
 * `not-pending` if an answer matches none
 */
export function resume(
  previous: A2aSendMessageRequest | undefined,
  snapshot: A2aSnapshot,
  decisions: Decisions,
  more: ReplyOptions = {},
): A2aSendMessageRequest {
  check("resume", { previous: "object?", snapshot: "object", decisions: "object" }, [
    previous,
    snapshot,
    decisions,
  ]);
  return answering(previous, snapshot, { ...more, decisions });
}

function answering(
  previous: A2aSendMessageRequest | undefined,
  snapshot: A2aSnapshot,
  { results = {}, decisions = {}, input = [] }: ReplyOptions,
): A2aSendMessageRequest {
  const parts = answersInOrder(callsOf(snapshot), results, decisions).map(
    ({ call: { id, kind }, answer }): A2aInputPart =>
      kind === "approval"
        ? { data: { approval_request_id: id, answer } }
        : { data: { call_id: id, output: answer } },
  );
  return nextRequest(previous, snapshot, [
    ...parts,
    ...(typeof input === "string" ? [{ text: input }] : input),
  ]);
}

/** The states of a task that has closed its stream and continues with another message. (A1.) */
const WAITING: ReadonlySet<string | undefined> = new Set([
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

/** The methods of version 1.0: the function that calls each, and its name in version 0.3. (A17.) */
const METHODS = {
  SendStreamingMessage: ["createRequest", "message/stream"],
  SendMessage: ["connect", "message/send"],
  SubscribeToTask: ["subscribeToTask", "tasks/resubscribe"],
  GetTask: ["getTask", "tasks/get"],
  CancelTask: ["cancelTask", "tasks/cancel"],
} as const;

function messageRequest(
  input: Input,
  place: { readonly contextId?: string; readonly taskId?: string } = {},
): A2aSendMessageRequest {
  const parts = typeof input === "string" ? [{ text: input }] : [...input];
  return { message: { messageId: uuid(), role: "ROLE_USER", parts, ...place } };
}

/** Creates the HTTP request that calls a method. */
export function callRequest(
  url: string | URL,
  method: keyof typeof METHODS,
  params: { readonly id: string } | A2aSendMessageRequest,
  options: RequestOptions,
): Request {
  const [called, old] = METHODS[method];
  knownOptions(`${called}()`, options, ["version", ...POST_OPTIONS]);
  const { version = "1.0", ...how } = options;
  const isOld = version === "0.3";
  must(isOld || version === "1.0", "wrong-option", `${called}(): \`version\` is "1.0" or "0.3"`);
  const body = rpc(isOld ? old : method, isOld && "message" in params ? inOld(params) : params);
  const isStream = method === "SendStreamingMessage" || method === "SubscribeToTask";
  return post(url, body, how, {
    "a2a-version": version,
    ...(isStream ? {} : { accept: "application/json" }),
  });
}

/** Returns the JSON-RPC request that calls a method. */
export function rpc(method: string, params: object): object {
  return { jsonrpc: "2.0", id: uuid(), method, params };
}

/** Returns the parameters in the form of version 0.3. */
function inOld({ message, configuration, ...rest }: A2aSendMessageRequest): object {
  const { returnImmediately, ...other } = configuration ?? {};
  return {
    ...rest,
    message: {
      ...message,
      kind: "message",
      role: message.role === "ROLE_AGENT" ? "agent" : "user",
      parts: message.parts.map(oldPart),
    },
    ...(configuration && {
      configuration: {
        ...other,
        ...(returnImmediately == null ? {} : { blocking: !returnImmediately }),
      },
    }),
  };
}

/**
 * Returns a part in the form of version 0.3. Its data must be an object, so any other JSON becomes
 * `{ value }`, as official servers write it.
 */
function oldPart({
  text,
  raw,
  url,
  data,
  filename: name,
  mediaType: mimeType,
  metadata,
}: A2aInputPart): object {
  if (text != null) {
    return { kind: "text", text, metadata };
  }
  if (raw != null || url != null) {
    return {
      kind: "file",
      file: { name, mimeType, ...(raw != null ? { bytes: raw } : { uri: url }) },
      metadata,
    };
  }
  return isObject(data)
    ? { kind: "data", data, metadata }
    : { kind: "data", data: { value: data }, metadata: { ...metadata, data_part_compat: true } };
}
