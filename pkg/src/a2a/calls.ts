// The calls of A2A: reading them, the operations on a task, and their answers. The core has the rules.

import type { A2aSendMessageRequest, A2aTask, AgentRequest, Json } from "../agentwire.js";
import { jsonText, parseJson } from "../core/json.js";
import type { HeadersLike } from "../core/platform.js";
import { toolkit } from "../core/wasm.js";
import type { Reply } from "./running_task.js";
import type { ListTasks } from "./tasks.js";

/** A call, as the core parses it. */
export type Call =
  | { readonly reply: Reply; readonly method: "send" | "stream"; readonly request: A2aSendMessageRequest }
  | { readonly reply: Reply; readonly method: "get"; readonly id: string; readonly historyLength: number | null }
  | { readonly reply: Reply; readonly method: "cancel" | "subscribe"; readonly id: string }
  | ({ readonly reply: Reply; readonly method: "list"; readonly historyLength: number | null; readonly includeArtifacts: boolean } & ListTasks);

/** The error of an operation that the core rejects. */
export interface CallRefusal {
  readonly code: number;
  readonly message: string;
}

/** The codes of JSON-RPC errors. */
export const INVALID = -32600;
export const INTERNAL = -32603;
export const UNSUPPORTED = -32004;

/** Returns the refusal of a message to a task whose agent is running. */
export function stillRunning(taskId: string): CallRefusal {
  return { code: UNSUPPORTED, message: `Task ${taskId} is running and accepts no messages until it waits for input.` };
}

/** Returns whether a path is the path of the agent card. */
export function isCard(pathname: string): boolean {
  return pathname === "/.well-known/agent-card.json" || pathname === "/.well-known/agent.json";
}

/** Returns the form of a reply to a request whose id is not known. */
export function replyAt(below: string, headers: Headers): Reply {
  return below === "" ? { version: headers.get("a2a-version") ?? "", id: null } : { version: below.startsWith("/v1/") ? "0.3" : "1.0", binding: "rest", id: null };
}

/** Returns the call in a request, or the refusal. `below` is its path below that of the server: empty for JSON-RPC. */
export function callIn(http: Request, below: string, body: string, headers: HeadersLike): Call | Response {
  const version = http.headers.get("a2a-version") ?? "";
  const read =
    below === ""
      ? toolkit().call("a2aJsonRpc", body, version)
      : toolkit().call("a2aRest", http.method, below, new URL(http.url).search.slice(1), body, version);
  const call = parseJson(read) as unknown;
  return Array.isArray(call) ? (call[0] as Call) : responseOf(read, headers);
}

/** Takes a message into its task, or a new one; returns the JSON for {@link acceptedIn}. */
export function acceptMessage(request: A2aSendMessageRequest, stored: A2aTask | undefined): string | CallRefusal {
  const accepted = toolkit().call("a2aAccept", jsonText(request), stored && jsonText(stored));
  const parsed = parseJson(accepted) as unknown;
  return Array.isArray(parsed) ? accepted : (parsed as CallRefusal);
}

/** Returns the message with its ids, the request for the agent, and the content of the task before it. */
export function acceptedIn(accepted: string): { readonly message: A2aSendMessageRequest["message"]; readonly request: AgentRequest; readonly task: Json } {
  const [{ message }, request, task] = parseJson(accepted) as unknown as [A2aSendMessageRequest, AgentRequest, Json];
  return { message, request, task };
}

/** Returns the task after an operation, or the refusal. */
export function operate(operation: string, id: string, task: A2aTask | undefined): [A2aTask] | CallRefusal {
  return parseJson(toolkit().call("a2aTask", operation, id, task && jsonText(task))) as unknown as [A2aTask] | CallRefusal;
}

/** Returns a task as the client has requested it. */
export function taskView(task: A2aTask, historyLength: number | null | undefined, withArtifacts: boolean): A2aTask {
  return parseJson(toolkit().call("a2aShown", jsonText(task), historyLength ?? undefined, withArtifacts)) as unknown as A2aTask;
}

/** Returns the response with a result. */
export function resultResponse(reply: Reply, result: object, headers: HeadersLike): Response {
  return responseOf(toolkit().call("a2aResult", JSON.stringify(reply), jsonText(result)), headers);
}

/**
 * Returns the response with an error.
 *
 * @param status the HTTP status, if it is not the usual one of the code
 */
export function refuseCall(reply: Reply, { code, message }: CallRefusal, headers: HeadersLike, status?: number): Response {
  return responseOf(toolkit().call("a2aError", JSON.stringify(reply), code, message), headers, status);
}

function responseOf(json: string, headers: HeadersLike, own?: number): Response {
  const { status: usual, contentType, body } = parseJson(json) as { status: number; contentType: string; body: string };
  const status = own ?? usual;
  const all = new Headers(headers);
  all.set("content-type", contentType);
  // The REST binding of 1.0 repeats the status in the body.
  return new Response(own === undefined ? body : body.replace(`{"error":{"code":${usual},`, `{"error":{"code":${own},`), { status, headers: all });
}
