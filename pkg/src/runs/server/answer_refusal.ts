// Refusals of requests to a protocol, in the form of the protocol at the path.

import { parseJson } from "../../core/json.js";
import { toolkit } from "../../core/wasm.js";
import { runsRefusal } from "../service.js";
import { type RunsRefusal, refuse } from "./refusal.js";
import { membersOf } from "./turns.js";

/** The paths of the protocols with a form of their own. */
export interface ProtocolPaths {
  readonly responses: readonly string[];
  readonly a2a: string;
}

/** Returns whether a path is one of these, or below one. */
export function isAt(pathname: string, paths: readonly string[]): boolean {
  return paths.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** Returns a refusal in the form of the clients at this path. A refusal of JSON-RPC has the id of the request, which is in its body. */
export function refuseAt(pathname: string, paths: ProtocolPaths, refusal: RunsRefusal, body?: string): Response {
  const { refused, detail, retryAfter } = refusal;
  const { status } = runsRefusal(refused, detail);
  const headers: Record<string, string> = {
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
  if (isAt(pathname, paths.responses)) {
    return refuseResponse(status, detail, status === 429 ? "rate_limit_exceeded" : refused, null, headers);
  }
  return isAt(pathname, [paths.a2a]) ? refuseTask(pathname, paths.a2a, status, detail, headers, body) : refuse(refusal, headers);
}

/** Returns a refusal in OpenAI's form. */
export function refuseResponse(status: number, message: string, code: string, param: string | null = null, headers: Record<string, string> = {}): Response {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return Response.json({ error: { message, type, param, code } }, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** Returns a refusal in A2A's form: JSON-RPC, or REST of the version of the path. */
function refuseTask(pathname: string, path: string, status: number, message: string, headers: Record<string, string>, body?: string): Response {
  const code = status < 500 ? INVALID_REQUEST : INTERNAL;
  const version = pathname.startsWith(`${path}/v1/`) ? "0.3" : "1.0";
  const reply = pathname === path ? { version, id: membersOf(body ?? "").id ?? null } : { version, binding: "rest", id: null };
  const { contentType, body: text } = parseJson(toolkit().call("a2aError", JSON.stringify(reply), code, message)) as { contentType: string; body: string };
  return new Response(text, { status, headers: { ...headers, "content-type": contentType } });
}

const INVALID_REQUEST = -32600;
const INTERNAL = -32603;
