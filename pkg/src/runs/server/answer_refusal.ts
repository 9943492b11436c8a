// Refusals of requests to a protocol, in the form of the protocol at the path.

import { type Adapter, errorResponse } from "../../server/adapter.js";
import { BUSY, INTERNAL, INVALID, replyAt, statusResponse } from "../../a2a/calls.js";
import type { Json } from "../../agentwire.js";
import { runsRefusal } from "../service.js";
import { type RunsRefusal, refuse } from "./refusal.js";
import { membersOf } from "./turns.js";

/** A request whose refusal has the form of its protocol. */
export interface RefusedRequest {
  readonly pathname: string;
  readonly requestId: string;
  /** The adapter of the protocol; undefined for a stored answer. */
  readonly adapter: Adapter | undefined;
}

/**
 * Returns a refusal in the form of the clients of a protocol. A refusal of JSON-RPC has the id of
 * the request, which is in its body.
 */
export function refuseIn(
  { pathname, requestId, adapter }: RefusedRequest,
  refusal: RunsRefusal,
  body?: string,
): Response {
  const { refused, detail, retryAfter } = refusal;
  const { status } = runsRefusal(refused, detail);
  const headers: Record<string, string> = {
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
  if (adapter?.protocol === "responses") {
    return refuseResponse(
      status,
      detail,
      status === 429 ? "rate_limit_exceeded" : refused,
      null,
      headers,
    );
  }
  if (adapter?.protocol === "a2a") {
    return refuseTask(pathname, adapter.path, status, detail, headers, body);
  }
  return adapter?.convertError === undefined
    ? refuse(refusal, headers)
    : errorResponse(
        { status, code: refused, message: detail, requestId },
        { "cache-control": "no-store", ...headers },
        adapter.convertError,
      );
}

/** Returns a refusal in OpenAI's form. */
export function refuseResponse(
  status: number,
  message: string,
  code: string,
  param: string | null = null,
  headers: Record<string, string> = {},
): Response {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return Response.json(
    { error: { message, type, param, code } },
    { status, headers: { "cache-control": "no-store", ...headers } },
  );
}

/** Returns a refusal in A2A's form: JSON-RPC, or REST of the version of the path. */
function refuseTask(
  pathname: string,
  path: string,
  status: number,
  message: string,
  headers: Record<string, string>,
  body?: string,
): Response {
  const code = status === 429 ? BUSY : status < 500 ? INVALID : INTERNAL;
  const reply = { ...replyAt(pathname.slice(path.length), new Headers()), id: callIdIn(body) };
  return statusResponse(reply, status, code, message, { "cache-control": "no-store", ...headers });
}

/**
 * Returns the id of a call of JSON-RPC, for its refusal, which is short: null for an id of more
 * than a kilobyte.
 */
function callIdIn(body: string | undefined): Json {
  const { id = null } = membersOf(body ?? "");
  return typeof id !== "object" && String(id).length <= 250 ? id : null;
}
