// Limits the rate at which a caller starts or continues A2A tasks, and refuses in the dialect of the request.

import { RequestError } from "agentwire";
import { readBody } from "agentwire/server";
import { A2A } from "../paths.js";
import { type RunsEnv, timeoutOf } from "./env.js";
import { callOf, refusalAt } from "./refusals.js";

const METHODS: readonly unknown[] = ["SendMessage", "SendStreamingMessage", "message/send", "message/stream"];
const BELOW = /\/message:(send|stream)$/;

/** A request, with its body if it was read. */
interface AdmittedRequest {
  readonly request: Request;
  readonly body?: string;
}

/** Returns the request, or the refusal. A JSON-RPC call is read, so that a later refusal has its id, too. */
export async function limited(request: Request, env: RunsEnv): Promise<AdmittedRequest | Response> {
  const { pathname } = new URL(request.url);
  if (request.method !== "POST") {
    return { request };
  }
  if (pathname !== A2A) {
    return !BELOW.test(pathname) || (await mayBegin(request, env)) ? { request } : tooMany(pathname);
  }
  let body: string;
  try {
    body = await readBody(request, { bodyTimeoutMs: timeoutOf(env) });
  } catch (error) {
    if (error instanceof RequestError) {
      return refusalAt(pathname, error)!;
    }
    throw error;
  }
  const { url, headers, signal } = request;
  return !METHODS.includes(callOf(body)["method"]) || (await mayBegin(request, env))
    ? { request: new Request(url, { method: "POST", headers, body, signal }), body }
    : tooMany(pathname, body);
}

async function mayBegin({ headers }: Request, { RUNS_LIMIT }: RunsEnv): Promise<boolean> {
  const limited = await RUNS_LIMIT?.limit({ key: `address ${headers.get("cf-connecting-ip") ?? ""}` });
  return limited?.success !== false;
}

function tooMany(pathname: string, body?: string): Response {
  return refusalAt(pathname, { status: 429, message: "too many tasks in a short time", body, headers: { "retry-after": "10" } })!;
}
