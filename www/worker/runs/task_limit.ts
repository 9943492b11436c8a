// How often a caller may begin a task of A2A, or go on with one; and the refusal, in the words of the dialect that asks.

import { type Json, parseJson, readBody } from "agentwire";
import { jsonResponse } from "../replies.js";
import { type RunsEnv, timeoutOf } from "./env.js";

const METHODS: readonly unknown[] = ["SendMessage", "SendStreamingMessage", "message/send", "message/stream"];
const BELOW = /\/message:(send|stream)$/;
const MESSAGE = "too many tasks in a short time";
/** JSON-RPC leaves this code to servers. */
const CODE = -32000;

/** The request, whose body may have been read; or the refusal. */
export async function limited(request: Request, path: string, env: RunsEnv): Promise<Request | Response> {
  if (env.RUNS_LIMIT === undefined || request.method !== "POST") {
    return request;
  }
  const { pathname } = new URL(request.url);
  const isRest = pathname !== path;
  if (isRest) {
    return !BELOW.test(pathname) || (await mayBegin(request, env)) ? request : tooMany(isV03(pathname, path) ? restOfV03 : rest);
  }
  const body = await readBody(request, { bodyTimeout: timeoutOf(env) });
  const { method, id = null } = callOf(body);
  const { url, headers, signal } = request;
  return !METHODS.includes(method) || (await mayBegin(request, env))
    ? new Request(url, { method: "POST", headers, body, signal })
    : tooMany({ jsonrpc: "2.0", id, error: { code: CODE, message: MESSAGE } });
}

async function mayBegin({ headers }: Request, { RUNS_LIMIT }: RunsEnv): Promise<boolean> {
  return (await RUNS_LIMIT!.limit({ key: `address ${headers.get("cf-connecting-ip") ?? ""}` })).success;
}

function isV03(pathname: string, path: string): boolean {
  return pathname.startsWith(`${path}/v1/`);
}

const rest: Json = { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: MESSAGE, details: [] } };
const restOfV03: Json = { code: CODE, message: MESSAGE };

function tooMany(body: Json): Response {
  return jsonResponse(429, body, { "retry-after": "10" });
}

/** A call's members; none of what is no call, which the adapter refuses. */
function callOf(body: string): { readonly [key: string]: Json } {
  try {
    return Object(parseJson(body)) as { [key: string]: Json };
  } catch {
    return {};
  }
}
