// What is refused before a protocol is asked, in the words of the protocol that is spoken at the path.

import { type Json, parseJson } from "agentwire";
import { A2A, isOpenAi, isTask } from "../paths.js";
import { jsonResponse } from "../replies.js";

/** Why something is refused. */
export interface Refusal {
  readonly status: number;
  /** For people. */
  readonly message: string;
  /** For programs, where the protocol has room for it. */
  readonly code?: string | undefined;
  /** The body, where it has been read: an answer by JSON-RPC repeats its id. */
  readonly body?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
}

/** The refusal as the clients read it that ask at this path; undefined where they have no form of their own for it. */
export function refusalAt(pathname: string, refusal: Refusal): Response | undefined {
  if (isOpenAi(pathname)) {
    const { status, message, code, headers } = refusal;
    return refuseResponse(status, message, code, null, headers);
  }
  return isTask(pathname) ? refuseTask(pathname, refusal) : undefined;
}

/** As OpenAI's clients read it. */
export function refuseResponse(
  status: number,
  message: string,
  code: string | null = null,
  param: string | null = null,
  headers: Record<string, string> = {},
): Response {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return jsonResponse(status, { error: { message, type, param, code } }, headers);
}

/** As A2A's clients read it: by JSON-RPC, or by REST of their version. */
function refuseTask(pathname: string, { status, message, body, headers }: Refusal): Response {
  const code = status === 429 ? BUSY : status < 500 ? INVALID_REQUEST : INTERNAL;
  if (pathname === A2A) {
    const { id = null } = callOf(body);
    return jsonResponse(status, { jsonrpc: "2.0", id, error: { code, message } }, headers);
  }
  if (pathname.startsWith(`${A2A}/v1/`)) {
    return jsonResponse(status, { code, message }, headers);
  }
  const name = NAMES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return jsonResponse(status, { error: { code: status, status: name, message, details: [] } }, headers);
}

/** What REST of 1.0 calls a status. */
const NAMES: { readonly [status: number]: string } = { 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE" };
const INVALID_REQUEST = -32600;
const INTERNAL = -32603;
/** JSON-RPC leaves this code to servers. */
const BUSY = -32000;

/** A call's members; none of what is no call, which the adapter refuses. */
export function callOf(body = ""): { readonly [key: string]: Json } {
  try {
    return Object(parseJson(body)) as { [key: string]: Json };
  } catch {
    return {};
  }
}
