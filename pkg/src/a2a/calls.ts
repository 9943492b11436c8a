// The calls of A2A: reading them, the operations on a task, and their answers. The core has the
// rules.

import type { A2aSendMessageRequest, A2aTask, AgentRequest, Json } from "../agentwire.js";
import { setLosses } from "../convert/request.js";
import { excerpt } from "../core/excerpt.js";
import type { CountedLosses } from "../core/findings.js";
import { jsonText, parseJson } from "../core/json.js";
import type { HeadersLike } from "../core/platform.js";
import { toolkit } from "../core/wasm.js";
import { type Outbox, bodyOf } from "./outbox.js";
import { type TaskReply, idOf } from "./running_task.js";
import type { ListTasks } from "./tasks.js";

/** A call, as the core parses it. */
export type OperationCall =
  | SendCall
  | {
      readonly reply: TaskReply;
      readonly method: "get";
      readonly id: string;
      readonly historyLength: number | null;
    }
  | { readonly reply: TaskReply; readonly method: "cancel" | "subscribe"; readonly id: string }
  | ({
      readonly reply: TaskReply;
      readonly method: "list";
      readonly historyLength: number | null;
      readonly includeArtifacts: boolean;
    } & ListTasks);

/** A message. It is JSON text, because a call lives as long as its answer. */
export interface SendCall {
  readonly reply: TaskReply;
  readonly method: "send" | "stream";
  /** The request of 1.0, as JSON. */
  readonly request: string;
  /** The task that the message names. */
  readonly taskId: string | undefined;
  /** The conversation that it names. */
  readonly contextId: string | undefined;
  readonly configuration: A2aSendMessageRequest["configuration"];
}

/** The error of an operation that the core rejects. */
export interface CallRefusal {
  readonly code: number;
  readonly message: string;
}

/** The codes of JSON-RPC errors. */
export const INVALID = -32600;
export const INTERNAL = -32603;
export const UNSUPPORTED = -32004;
export const INVALID_PARAMS = -32602;
const NOT_FOUND = -32001;
/** A code that JSON-RPC reserves for servers. */
export const BUSY = -32000;
/** The maximum length of the id of a call, as JSON. */
const LONGEST_ID = 1000;
/** The status of a server that has no room for a request. */
export const BUSY_STATUS = 429;

/** The refusal of a list of tasks without a user. The id of a context grants access to its tasks. */
export const CONTEXT_MISSING: CallRefusal = {
  code: INVALID_PARAMS,
  message: "`contextId` is required: tasks are listed by their context.",
};

/** Returns the refusal of a message to a task whose agent is running. */
export function stillRunning(taskId: string): CallRefusal {
  return {
    code: UNSUPPORTED,
    message: `Task ${excerpt(taskId)} is running and accepts no messages until it waits for input.`,
  };
}

/** Returns the refusal of a call for a task that does not exist, or that is not the caller's. */
export function taskNotFound(taskId: string): CallRefusal {
  return { code: NOT_FOUND, message: `Task not found: ${excerpt(taskId)}` };
}

/** Returns whether a path is the path of the agent card. */
export function isCard(pathname: string): boolean {
  return pathname === "/.well-known/agent-card.json" || pathname === "/.well-known/agent.json";
}

/** Returns the form of a reply to a request whose id is not known. */
export function replyAt(below: string, headers: Headers): TaskReply {
  return below === ""
    ? { version: headers.get("a2a-version") ?? "", id: null }
    : { version: below.startsWith("/v1/") ? "0.3" : "1.0", binding: "rest", id: null };
}

/**
 * Returns the call in a request, or the refusal. `below` is its path below that of the server:
 * empty for JSON-RPC.
 */
export function callIn(
  http: Request,
  below: string,
  body: string,
  headers: HeadersLike,
): OperationCall | Response {
  const version = http.headers.get("a2a-version") ?? "";
  const read =
    below === ""
      ? toolkit().call("a2aJsonRpc", body, version)
      : toolkit().call(
          "a2aRest",
          http.method,
          below,
          new URL(http.url).search.slice(1),
          body,
          version,
        );
  if (!isAccepted(read)) {
    return responseOf(read, headers);
  }
  const [call] = parseJson(read) as unknown as [
    | Exclude<OperationCall, SendCall>
    | (Omit<SendCall, "request"> & { readonly request: A2aSendMessageRequest }),
  ];
  const { length } = idOf(call.reply);
  if (length > LONGEST_ID) {
    // Each event of a stream repeats it.
    return refuseCall(
      { ...call.reply, id: null },
      { code: INVALID, message: `The id of a call has at most ${LONGEST_ID} characters.` },
      headers,
    );
  }
  if (!("request" in call)) {
    return call;
  }
  const { reply, method, request } = call;
  return {
    reply,
    method,
    request: jsonText(request),
    taskId: request.message.taskId || undefined,
    contextId: request.message.contextId || undefined,
    configuration: request.configuration,
  };
}

/**
 * Takes a message into its task, or a new one; returns the JSON for {@link acceptedIn}.
 * `continues`: its conversation has earlier tasks.
 */
export function acceptMessage(
  request: string,
  stored: A2aTask | undefined,
  continues = false,
): string | CallRefusal {
  const accepted = toolkit().call("a2aAccept", request, stored && jsonText(stored), continues);
  return isAccepted(accepted) ? accepted : refusalIn(accepted);
}

/**
 * Returns the ids of the message that was accepted, the request for the agent, and the content of
 * the task before it.
 */
export function acceptedIn(accepted: string): {
  readonly taskId: string;
  readonly contextId: string;
  readonly request: AgentRequest;
  readonly task: Json;
} {
  const [{ message }, request, task, losses] = parseJson(accepted) as unknown as [
    A2aSendMessageRequest,
    AgentRequest & object,
    Json,
    CountedLosses?,
  ];
  if (losses) {
    setLosses(request, losses);
  }
  // An agent that has stored the earlier messages puts them in front, in another list.
  if (losses && Array.isArray(request.input)) {
    setLosses(request.input, losses);
  }
  return { taskId: message.taskId!, contextId: message.contextId!, request, task };
}

/** Returns the task after an operation as JSON, or the refusal. */
export function operate(
  operation: string,
  id: string,
  task: A2aTask | undefined,
): string | CallRefusal {
  const result = toolkit().call("a2aTask", operation, id, task && jsonText(task));
  return isAccepted(result) ? result.slice(1, -1) : refusalIn(result);
}

/** Returns the JSON of a task as the client has requested it. */
export function taskView(
  task: string,
  historyLength: number | null | undefined,
  withArtifacts: boolean,
): string {
  return toolkit().call("a2aShown", task, historyLength ?? undefined, withArtifacts);
}

/** Returns whether a result of the core is a list, and no refusal. */
function isAccepted(result: string): boolean {
  return result.startsWith("[");
}

function refusalIn(result: string): CallRefusal {
  return parseJson(result) as unknown as CallRefusal;
}

/** Returns the response with a result, which is JSON. */
export function resultResponse(reply: TaskReply, result: string, headers: HeadersLike): Response {
  return responseOf(toolkit().call("a2aResult", jsonText(reply), result), headers);
}

/**
 * Returns the response with a result that clients share while it is sent; or the refusal, if they
 * have too much to read already.
 */
export function sharedResponse(
  reply: TaskReply,
  result: string,
  headers: HeadersLike,
  outbox: Outbox,
  user: string,
): Response {
  const response = toolkit().call("a2aResult", JSON.stringify({ ...reply, id: 1 }), result);
  const { status, contentType, body } = parseJson(response) as unknown as CoreResponse;
  const envelope = (id: string): readonly [string, string] =>
    reply.binding === "rest" ? ["", ""] : [`{"jsonrpc":"2.0","id":${id},"result":`, "}"];
  const [{ length: before }, { length: after }] = envelope("1");
  const outgoing = outbox.take(user, body.slice(before, body.length - after));
  if (outgoing === undefined) {
    return refuseBusy(
      reply,
      "Clients have not read many large answers yet. Try again later.",
      headers,
    );
  }
  const all = new Headers(headers);
  all.set("content-type", contentType);
  const [start, end] = envelope(idOf(reply));
  return new Response(bodyOf(start, outgoing, end), { status, headers: all });
}

/**
 * Returns the response that refuses a call because the server has no room for it: 429, as of any
 * server that limits its load.
 */
export function refuseBusy(reply: TaskReply, message: string, headers: HeadersLike): Response {
  const all = new Headers(headers);
  all.set("retry-after", "10");
  return statusResponse(reply, BUSY_STATUS, BUSY, message, all);
}

/**
 * Returns a refusal with a status of HTTP, such as that of a server that is busy or of a user who
 * is missing.
 */
export function statusResponse(
  reply: TaskReply,
  status: number,
  code: number,
  message: string,
  headers: HeadersLike,
): Response {
  const init = { status, headers };
  if (reply.binding !== "rest") {
    const all = new Headers(headers);
    all.set("content-type", "application/json");
    return new Response(
      `{"jsonrpc":"2.0","id":${idOf(reply)},"error":${JSON.stringify({ code, message })}}`,
      { status, headers: all },
    );
  }
  const name = NAMES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return Response.json(
    reply.version === "0.3"
      ? { code, message }
      : { error: { code: status, status: name, message, details: [] } },
    init,
  );
}

/** The names of statuses in REST of 1.0. */
const NAMES: { readonly [status: number]: string } = {
  401: "UNAUTHENTICATED",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/**
 * Returns the response with an error.
 *
 * @param status the HTTP status, if it is not the usual one of the code
 */
export function refuseCall(
  reply: TaskReply,
  { code, message }: CallRefusal,
  headers: HeadersLike,
  status?: number,
): Response {
  return responseOf(toolkit().call("a2aError", jsonText(reply), code, message), headers, status);
}

/** A response of the core. */
interface CoreResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

function responseOf(json: string, headers: HeadersLike, own?: number): Response {
  const { status: usual, contentType, body } = parseJson(json) as unknown as CoreResponse;
  const status = own ?? usual;
  const all = new Headers(headers);
  all.set("content-type", contentType);
  // The REST binding of 1.0 repeats the status in the body.
  return new Response(
    own === undefined
      ? body
      : body.replace(`{"error":{"code":${usual},`, `{"error":{"code":${own},`),
    { status, headers: all },
  );
}
