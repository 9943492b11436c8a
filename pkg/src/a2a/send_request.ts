// Asking a server of A2A by JSON-RPC, and going on with what it has answered. (A1, A16, A17.)

import type { A2aInputPart, A2aSendMessageRequest, A2aSnapshot, Json } from "../agentwire.js";
import { inOrder } from "../answers.js";
import { check } from "../arguments.js";
import { AgentwireError } from "../errors.js";
import { type PostOptions, post } from "../post.js";
import { uuid } from "../uuid.js";
import { callsOf } from "./tool_calls.js";

/** How a server of A2A is asked. Everything is optional. */
export interface A2aRequestOptions extends PostOptions {
  /** The version that the server speaks, which its card tells: 1.0 by default. */
  readonly version?: "1.0" | "0.3" | undefined;
}

/** What a client says: a text, or parts. */
export type A2aInput = string | readonly A2aInputPart[];

/**
 * The HTTP request that sends a message and is answered by a stream, to be given to `fetch`: a call of `SendStreamingMessage`, of 0.3
 * `message/stream`. Where the next one goes {@link continueTask} says.
 *
 * ```js
 * const run = read(fetch(sendMessageRequest("/a2a", "Delete all files.", { signal })), { protocol: "a2a", signal });
 * ```
 *
 * @param url where; outside of pages an absolute address
 * @param input what the user says, or the parameters of the call, in the form of 1.0 in either version
 * @throws AgentwireError when the input is none of them (`wrong-argument`)
 */
export function sendMessageRequest(url: string | URL, input: A2aInput | A2aSendMessageRequest, options: A2aRequestOptions = {}): Request {
  const params = typeof input === "string" || Array.isArray(input) ? saying(input) : (input as A2aSendMessageRequest);
  const { message } = Object(params) as Partial<A2aSendMessageRequest>;
  if (!Array.isArray(message?.parts)) {
    throw new AgentwireError("wrong-argument", "sendMessageRequest() takes a text, a list of parts, or parameters with `message`");
  }
  return call(url, "SendStreamingMessage", { ...params, message: { ...message, messageId: message.messageId || uuid() } }, options);
}

/**
 * The HTTP request that is about a task: `SubscribeToTask` is answered by its stream, from now on, as long as it is at work;
 * `GetTask` by the task as it stands, and `CancelTask` by what it has come to, both as JSON: `(await response.json()).result`.
 *
 * A stream that is not read any more ends nothing: what stops a task is `CancelTask`.
 */
export function taskRequest(url: string | URL, method: "SubscribeToTask" | "GetTask" | "CancelTask", id: string, options: A2aRequestOptions = {}): Request {
  check("taskRequest", { method: "string", id: "string" }, [method, id]);
  return call(url, method, { id }, options);
}

/**
 * The next message of a conversation, for {@link sendMessageRequest}: in its context, and on its task if that waits for one. By REST it
 * is the body.
 */
export function continueTask(snapshot: A2aSnapshot, input: A2aInput): A2aSendMessageRequest {
  check("continueTask", { snapshot: "object" }, [snapshot]);
  const { task, message } = snapshot;
  const contextId = task?.contextId ?? message?.contextId;
  const waits = WAITING.has(task?.status?.state);
  return saying(input, { ...(contextId && { contextId }), ...(waits && { taskId: task!.id }) });
}

/**
 * The next message of a task that waits for answers to its questions: a part of data for each, in their order. A server that gives its
 * questions no ids, so that there are no `pendingToolCalls`, is answered by {@link continueTask}.
 *
 * @param answers by the id of `pendingToolCalls`, any JSON: `true` and `{ approved: true }` approve
 * @throws AgentwireError when a question has no answer (`answer-missing`), or an answer no question (`not-pending`)
 */
export function answerTask(snapshot: A2aSnapshot, answers: Readonly<Record<string, Json>>): A2aSendMessageRequest {
  check("answerTask", { snapshot: "object", answers: "object" }, [snapshot, answers]);
  const questions = (callsOf(snapshot) ?? []).filter(({ kind, pending }) => pending && kind === "approval").map(({ id }) => id!);
  return continueTask(
    snapshot,
    inOrder(questions, answers).map(([approval_request_id, answer]) => ({ data: { approval_request_id, answer } })),
  );
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
