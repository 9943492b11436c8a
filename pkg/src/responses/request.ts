// Requests of OpenAI Responses: reading them on a server, checking them, making them of others.

import type { AgentRequest, CreateResponse, Json } from "../agentwire.js";
import { check } from "../arguments.js";
import { type ConvertedRequest, converted } from "../convert/request.js";
import { jsonOf } from "../emit/options.js";
import { parseJson } from "../json.js";
import { type RequestProblem, accepted } from "../request.js";
import { toolkit } from "../wasm.js";

/**
 * Reads the body of `POST /responses`: a text or items of every kind. Members and items that are not known are kept. Throws a
 * `RequestError` whose answer is the 400 of an OpenAI server.
 */
export function parseCreateResponse(body: string): CreateResponse {
  check("parseCreateResponse", { body: "string" }, [body]);
  return accepted(toolkit().call("parseCreateResponse", body))[0] as CreateResponse;
}

/**
 * What the response to a request repeats of it, as OpenAI's server does: `model`, `instructions`, `tools`, `temperature`, `metadata`
 * and so on. It is the option `echo` of `respond`; {@link responsesAdapter} gives it by itself. What authorizes a tool is left out.
 * Throws a `RequestError` if the request is none.
 *
 * ```js
 * const asked = parseCreateResponse(await request.text());
 * return respond(request, { protocol: "responses", echo: createResponseEcho(asked) }, agent);
 * ```
 */
export function createResponseEcho(request: CreateResponse): { [key: string]: Json } {
  check("createResponseEcho", { request: "object" }, [request]);
  return accepted(toolkit().call("createResponseEcho", jsonOf(request as unknown as Json)))[0] as { [key: string]: Json };
}

/** What an OpenAI server would refuse in a request. */
export function validateCreateResponse(request: CreateResponse): RequestProblem[] {
  check("validateCreateResponse", { request: "object" }, [request]);
  return parseJson(toolkit().call("validateCreateResponse", jsonOf(request as unknown as Json))) as unknown as RequestProblem[];
}

/**
 * The Responses request that asks the same as an Agent API one: a stream, unless it says otherwise. Throws a `RequestError` if it is
 * none.
 */
export function toCreateResponse(request: AgentRequest): ConvertedRequest<CreateResponse> {
  check("toCreateResponse", { request: "object" }, [request]);
  return converted(toolkit().call("toCreateResponse", jsonOf(request as Json)));
}

/**
 * The Agent API request that asks the same as a Responses one. Instructions become the first message, a conversation the session,
 * flat tools nested ones; `stream` says whether a stream is wanted. What the Agent API has no place for stays under its name. Throws a
 * `RequestError` if it is none.
 */
export function createResponseToAgentRequest(request: CreateResponse): ConvertedRequest<AgentRequest> {
  check("createResponseToAgentRequest", { request: "object" }, [request]);
  return converted(toolkit().call("createResponseToAgentRequest", jsonOf(request as unknown as Json)));
}
