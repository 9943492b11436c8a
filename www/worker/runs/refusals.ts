// Refusals before a protocol's adapter, in the form of the protocol at the path.

import { type Json, parseJson } from "agentwire";
import { A2A, isOpenAi, isTask } from "../paths.js";
import { jsonResponse } from "../replies.js";

/** A refusal. */
export interface Refusal {
  readonly status: number;
  /** For people. */
  readonly message: string;
  /** For programs, if the protocol has a field for it. */
  readonly code?: string | undefined;
  /** The body, if it has been read: an answer of JSON-RPC repeats its id. */
  readonly body?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
}

/** Returns the refusal in the form of the clients at this path; undefined if they have no form of their own. */
export function refusalAt(pathname: string, refusal: Refusal): Response | undefined {
  if (isOpenAi(pathname)) {
    const { status, message, code, headers } = refusal;
    return refuseResponse(status, message, code, null, headers);
  }
  return isTask(pathname) ? refuseTask(pathname, refusal) : undefined;
}

/** Returns a refusal in OpenAI's form. */
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

/** Returns a refusal in A2A's form: JSON-RPC, or REST of the version of the path. */
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

/** The names of statuses in REST of 1.0. */
const NAMES: { readonly [status: number]: string } = { 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE" };
const INVALID_REQUEST = -32600;
const INTERNAL = -32603;
/** A code that JSON-RPC reserves for servers. */
const BUSY = -32000;

/** Parses the members of a call; returns an empty object if the body is not a call, which the adapter refuses. */
export function callOf(body = ""): { readonly [key: string]: Json } {
  try {
    return Object(parseJson(body)) as { [key: string]: Json };
  } catch {
    return {};
  }
}
