// OpenAI Responses that are stored: created by POST, read by id, whole or after an event, continued, cancelled and deleted.

import { parseJson, RequestError } from "agentwire";
import { type RunsRefusal, storageRefusal } from "agentwire/runs/server";
import { readBody } from "agentwire/server";
import { RESPONSES } from "../paths.js";
import { protocols } from "../protocols.js";
import { jsonResponse } from "../replies.js";
import { type RunsEnv, timeoutOf } from "./env.js";
import { hashOf } from "./hash.js";
import { refuseResponse as refuse } from "./refusals.js";
import { storedRequestOf, refusalIn } from "./resumable.js";
import { type NoTurns, MOST, earlierTurns, membersOf, nameOf, pageOf, withTurns } from "./turns.js";

/** Returns whether the response to a request is stored: unless `store` is false. */
export function isStored(body: string): boolean {
  return membersOf(body).store !== false;
}

/** Returns whether a request asks for a stream. */
export function isStreamed(body: string): boolean {
  return membersOf(body).stream === true;
}

/** Returns a response as a whole: after its end, or at its start if it runs in the background. */
export async function wholeResponse(env: RunsEnv, name: string, body: string): Promise<Response> {
  const atEnd = membersOf(body).background !== true;
  try {
    return resultResponse(await env.ANSWERS.getByName(name).response(atEnd), name);
  } catch (error) {
    // The object was killed meanwhile. It ends the response when it restarts; the agent must not run again for this request.
    console.error(error);
    return resultResponse(await env.ANSWERS.getByName(name).response(atEnd), name);
  }
}

/** Answers requests to these paths. */
export async function answerResponses(request: Request, env: RunsEnv, ctx: unknown): Promise<Response> {
  const { pathname } = new URL(request.url);
  try {
    if (RESPONSES.includes(pathname)) {
      return request.method === "POST" ? await create(request, env, ctx) : await protocols(request, env, ctx);
    }
    const [id = "", operation = "", ...more] = RESPONSES.map((path) => pathname.split(`${path}/`)[1]).find((rest) => rest !== undefined)!.split("/");
    const name = nameOf(id);
    const answer = OPERATIONS[operation];
    if (id === "" || answer === undefined || more.length > 0) {
      return nothingAt(pathname);
    }
    return name === undefined ? notFound(id) : await answer(request, env, name);
  } catch (error) {
    if (error instanceof RequestError) {
      const [problem] = error.problems;
      return refuse(error.status, error.message, problem?.code);
    }
    console.error(error);
    const outage = storageRefusal(error);
    return outage ? refuse(503, outage.detail, "server_error", null, { "retry-after": String(outage.retryAfter) }) : refuse(500, "something went wrong");
  }
}

async function create(request: Request, env: RunsEnv, ctx: unknown): Promise<Response> {
  const body = await readBody(request, { bodyTimeoutMs: timeoutOf(env) });
  const { store, background } = membersOf(body);
  if (store === false && background === true) {
    return refuse(400, "background responses are stored: leave `store` out, or set it to true", "invalid_value", "background");
  }
  const before = await earlierTurns(env, body);
  if (typeof before === "object") {
    return refusePrevious(before);
  }
  if (store === false) {
    const { method, headers, signal, url } = request;
    return protocols(new Request(url, { method, headers, body: withTurns(body, before), signal }), env, ctx);
  }
  if (new TextEncoder().encode(body).length > MOST) {
    return refuse(413, `a response that is stored is asked for with ${MOST} bytes at most; with \`store: false\` it may be more`, "body_too_long");
  }
  const limited = await env.RUNS_LIMIT?.limit({ key: `address ${request.headers.get("cf-connecting-ip") ?? ""}` });
  if (limited?.success === false) {
    return refuse(429, "too many responses in a short time", "rate_limit_exceeded", null, { "retry-after": "10" });
  }
  // The id is the only credential of a response, so it must not be guessable.
  const name = await hashOf(crypto.randomUUID());
  const answer = env.ANSWERS.getByName(name);
  const came = await answer.ask(await storedRequestOf(request, env, body, name, before), "");
  if ("refused" in came) {
    return refusalResponse(came, name);
  }
  if (!came.stream) {
    return new Response(came.body, { status: came.status, headers: came.headers });
  }
  return isStreamed(body) ? events(request, env, name, -1) : wholeResponse(env, name, body);
}

/** Returns a response in its present state, or its events; or deletes it. */
async function one(request: Request, env: RunsEnv, name: string): Promise<Response> {
  if (request.method === "DELETE") {
    const forgotten = await env.ANSWERS.getByName(name).forget();
    return "refused" in forgotten ? refusalResponse(forgotten, name) : jsonResponse(200, { id: `resp_${name}`, object: "response", deleted: true });
  }
  if (!isRead(request)) {
    return notAllowed("GET, DELETE, OPTIONS", request);
  }
  const query = new URL(request.url).searchParams;
  if (query.get("stream") !== "true") {
    return resultResponse(await env.ANSWERS.getByName(name).response(false), name);
  }
  const after = query.get("starting_after") ?? "-1";
  return /^(-1|\d{1,15})$/.test(after)
    ? events(request, env, name, Number(after))
    : refuse(400, "`starting_after` is the `sequence_number` of an event", "invalid_value", "starting_after");
}

/** Returns the input items of a response, with the earlier ones. */
async function inputItems(request: Request, env: RunsEnv, name: string): Promise<Response> {
  if (!isRead(request)) {
    return notAllowed("GET, OPTIONS", request);
  }
  const came = await env.ANSWERS.getByName(name).inputItems();
  if ("refused" in came) {
    return refusalResponse(came, name);
  }
  const page = pageOf(parseJson(came.json) as Parameters<typeof pageOf>[0], new URL(request.url).searchParams);
  return "wrong" in page
    ? refuse(400, `\`${page.wrong}\` of a list: \`limit\` is 1 to 100, \`order\` is asc or desc, \`after\` is the id of an item`, "invalid_value", String(page.wrong))
    : jsonResponse(200, page, { "cache-control": "no-store" });
}

/** Returns whether a request reads: HEAD has the answer of GET, without its body. */
function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

async function cancel(request: Request, env: RunsEnv, name: string): Promise<Response> {
  return request.method === "POST" ? resultResponse(await env.ANSWERS.getByName(name).cancel(), name) : notAllowed("POST, OPTIONS", request);
}

async function events({ signal }: Request, env: RunsEnv, name: string, after: number): Promise<Response> {
  const response = await env.ANSWERS.getByName(name).fetch(`https://answer/?starting_after=${after}`, { signal });
  if (response.status >= 400) {
    return refusalResponse(await refusalIn(response), name);
  }
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" };
  // The stream after the last event is empty.
  return new Response(response.status === 204 ? "" : response.body, { headers });
}

function resultResponse(came: RunsRefusal | { readonly json: string }, name: string): Response {
  return "refused" in came ? refusalResponse(came, name) : new Response(came.json, { headers: { "content-type": "application/json", "cache-control": "no-store" } });
}

function refusalResponse({ refused, detail, retryAfter }: RunsRefusal, name: string): Response {
  switch (refused) {
    case "AGENT_NOT_FOUND":
      return notFound(`resp_${name}`);
    case "AGENT_INVALID_LAST_EVENT_ID":
      return refuse(400, "there is no event of that number yet", "invalid_value", "starting_after");
    default:
      return refuse(429, detail, "rate_limit_exceeded", null, { "retry-after": String(retryAfter ?? 5) });
  }
}

function notFound(id: string): Response {
  return refuse(404, `Response with id '${id}' not found.`, "not_found");
}

/** Returns the answer to OpenAI's clients for a path without an endpoint. */
export function nothingAt(pathname: string): Response {
  return refuse(404, `there is nothing at ${pathname}: responses are at ${RESPONSES.join(" and ")}`, "not_found");
}

function notAllowed(allow: string, { method }: Request): Response {
  return method === "OPTIONS" ? new Response(null, { status: 204, headers: { allow } }) : refuse(405, `this path takes ${allow}`, "method_not_allowed", null, { allow });
}

/** The operations below the path of a response. */
const OPERATIONS: { readonly [operation: string]: (request: Request, env: RunsEnv, name: string) => Promise<Response> } = {
  "": one,
  cancel,
  input_items: inputItems,
};

/** Returns the refusal of a response that cannot be continued. */
export function refusePrevious({ message, code }: NoTurns): Response {
  return refuse(400, message, code, "previous_response_id");
}
