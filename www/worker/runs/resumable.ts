// Answers of any protocol that outlive their connection: `Prefer: resumable` at the protocol's own path, and the frames after a cursor
// at the address in the answer's `Content-Location`.

import { RequestError } from "agentwire";
import { refuse, type RunsRefusal, runsRefusal, storageRefusal } from "agentwire/runs/server";
import { readBody } from "agentwire/server";
import { RESPONSES, isTask } from "../paths.js";
import type { StoredRequest } from "./stored_request.js";
import { type RunsEnv, timeoutOf } from "./env.js";
import { hashOf } from "./hash.js";
import { refusalAt } from "./refusals.js";
import { isStored, isStreamed, refusePrevious, wholeResponse } from "./responses.js";
import { ownerOf } from "./task_owner.js";
import { MOST, earlierTurns } from "./turns.js";

/** The path of answers. */
const ANSWERS = "/answers/";
const ID = /^[0-9a-f]{64}$/;

/** Returns whether a path is the path of an answer. */
export function isAnswer(pathname: string): boolean {
  return pathname.startsWith(ANSWERS);
}

/** Returns whether a request is for this module. */
export function isResumable(request: Request): boolean {
  const preferences = (request.headers.get("prefer") ?? "").split(",").map((one) => one.split(";", 1)[0]!.trim().toLowerCase());
  const { pathname } = new URL(request.url);
  // Requests below the path of responses do not start an agent.
  const asks = request.method === "POST" && !RESPONSES.some((path) => pathname.startsWith(`${path}/`));
  return isAnswer(pathname) || (asks && preferences.includes("resumable"));
}

/** Answers such a request. */
export async function answerResumable(request: Request, env: RunsEnv): Promise<Response> {
  try {
    return await (isAnswer(new URL(request.url).pathname) ? resumeAnswer(request, env) : startAnswer(request, env));
  } catch (error) {
    if (error instanceof RequestError) {
      return refuseTo(request, await refusalIn(error.toResponse()));
    }
    console.error(error);
    return refuseTo(request, storageRefusal(error) ?? { refused: "AGENT_INTERNAL_ERROR", detail: "something went wrong" });
  }
}

/** Starts an answer of a protocol, and returns its frames, from the beginning or after `Last-Event-ID`. */
async function startAnswer(request: Request, env: RunsEnv): Promise<Response> {
  const limited = await env.RUNS_LIMIT?.limit({ key: `address ${request.headers.get("cf-connecting-ip") ?? ""}` });
  if (limited?.success === false) {
    return refuseTo(request, { refused: "AGENT_RATE_LIMIT_EXCEEDED", detail: "too many runs in a short time", retryAfter: 10 });
  }
  const key = request.headers.get("idempotency-key");
  if (key !== null && !/^[\x21-\x7e]{16,256}$/.test(key)) {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", "an idempotency key has 16 to 256 visible characters: nobody else may guess it");
  }
  const { pathname } = new URL(request.url);
  const body = await bodyOf(request, env);
  // The id is the only credential of an answer, so it is as hard to guess as the key.
  const id = await hashOf(`${pathname}\n${key ?? crypto.randomUUID()}`);
  const answer = env.ANSWERS.getByName(id);
  const isResponse = RESPONSES.includes(pathname);
  const before = isResponse ? await earlierTurns(env, body) : undefined;
  if (typeof before === "object") {
    return refusePrevious(before);
  }
  const isKept = isResponse && isStored(body);
  const came = await answer.ask(await storedRequestOf(request, env, body, isKept ? id : undefined, before), await hashOf(`${pathname}\n${body}`));
  if ("refused" in came) {
    return refuseTo(request, came, body);
  }
  if (isKept && came.stream && !isStreamed(body)) {
    return wholeResponse(env, id, body);
  }
  return came.stream ? events(request, answer, id) : new Response(came.body, { status: came.status, headers: came.headers });
}

/** Reads the body; throws a refusal. */
async function bodyOf(request: Request, env: RunsEnv): Promise<string> {
  try {
    return await readBody(request, { maxBodyBytes: MOST, bodyTimeoutMs: timeoutOf(env), contentTypes: ["*"] });
  } catch (error) {
    if (!(error instanceof RequestError)) {
      throw error;
    }
    const code = { 413: "AGENT_BODY_TOO_LARGE", 408: "AGENT_BODY_TIMEOUT" }[error.status] ?? "AGENT_RUN_INPUT_INVALID";
    throw runsRefusal(code, error.message);
  }
}

/** Parses the refusal in a response with problem details. */
export async function refusalIn(response: Response): Promise<RunsRefusal> {
  const { code, detail } = (await response.json()) as { readonly code: string; readonly detail: string };
  const retryAfter = response.headers.get("retry-after");
  return { refused: code, detail, ...(retryAfter !== null && { retryAfter: Number(retryAfter) }) };
}

/** Returns a refusal in the form of the protocol, if it has its own. */
function refuseTo({ url }: Request, refusal: RunsRefusal, body?: string): Response {
  const { refused: name, detail: message, retryAfter } = refusal;
  const { status } = runsRefusal(name, message);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const code = status === 429 ? "rate_limit_exceeded" : name;
  return refusalAt(new URL(url).pathname, { status, message, code, body, headers }) ?? refuse(refusal);
}

/** Returns the request to store, and its owner; with the name of the answer if it is an OpenAI response that is stored. */
export async function storedRequestOf(request: Request, env: RunsEnv, body: string, name: string | undefined, before?: string): Promise<StoredRequest> {
  const { url, headers } = request;
  const owner = isTask(new URL(url).pathname) ? await ownerOf(request, env) : "";
  const responseId = name === undefined ? undefined : `resp_${name}`;
  return { url, body, before, version: headers.get("a2a-version"), owner, responseId };
}

/** Returns the frames after a cursor, or stops the agent. */
async function resumeAnswer(request: Request, env: RunsEnv): Promise<Response> {
  const id = new URL(request.url).pathname.slice(ANSWERS.length);
  if (!ID.test(id)) {
    return refuse({ refused: "AGENT_NOT_FOUND", detail: "there is no such answer" });
  }
  const answer = env.ANSWERS.getByName(id);
  if (request.method === "GET") {
    return events(request, answer, id);
  }
  if (request.method !== "DELETE") {
    return refuse({ refused: "AGENT_METHOD_NOT_ALLOWED", detail: "use GET to read an answer and DELETE to stop it" }, { allow: "GET, DELETE, OPTIONS" });
  }
  const stopped = await answer.stop();
  return "refused" in stopped ? refuse(stopped) : new Response(null, { status: 202 });
}

async function events({ headers, signal }: Request, answer: ReturnType<RunsEnv["ANSWERS"]["getByName"]>, id: string): Promise<Response> {
  const cursor = headers.get("last-event-id");
  const response = await answer.fetch("https://answer/", { headers: cursor === null ? {} : { "last-event-id": cursor }, signal });
  if (response.status >= 400) {
    return response;
  }
  const stream = response.status === 204 ? {} : { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  const where = { "content-location": ANSWERS + id, "preference-applied": "resumable" };
  return new Response(response.body, { status: response.status, headers: { ...stream, ...where, "cache-control": "no-store" } });
}
