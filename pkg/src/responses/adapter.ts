// OpenAI Responses at a path.

import type { AgentRequest, CreateResponse, Json } from "../agentwire.js";
import { type Adapter, type AdapterDefinition, type RefusedError, defineAdapter } from "../convert/adapter.js";
import { parseJson, stringifyJson } from "../json.js";
import { toolkit } from "../wasm.js";
import { responsesEcho } from "./echo.js";
import { REQUESTS } from "./request.js";

/**
 * OpenAI Responses: `/v1/responses`, unless it is said otherwise; AgentScope's runtime has it at
 * `/compatible-mode/v1/responses`.
 *
 * A request with `stream: true` is answered with the stream. Any other is answered with one Response object when the run is over, a
 * failed one too: its `status` and `error` say so, with HTTP 200. What is wrong with a request is a 400 that OpenAI's clients read.
 *
 * The response repeats what it was asked (`model`, `instructions`, `tools`, …), unless `convertRequest` is given: then `options` says
 * what it repeats, as `echo`.
 *
 * `GET {path}/{id}` asks `retrieve`, which has to keep what was answered. Without it every id is unknown.
 *
 * `GET /v1/models`, beside a path that ends with `/responses`, lists one model: the agent. A request may name any other.
 */
export function responsesAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  const asked = new WeakMap<Request, CreateResponse>();
  const adapter = defineAdapter({
    path: "/v1/responses",
    protocol: "responses",
    convertRequest(body, http) {
      const request = REQUESTS.parse(body);
      asked.set(http, request);
      return REQUESTS.toAgentRequest(request).request;
    },
    convertResponse: (stream, request) => (streams(request) ? stream : whole(stream)),
    convertError,
    retrieve: () => undefined,
    ...definition,
    options(request, http) {
      const own = asked.get(http);
      return { echo: own && responsesEcho(own), ...definition.options?.(request, http) };
    },
  });
  if (!adapter.path.endsWith("/responses")) {
    return adapter;
  }
  const models = adapter.path.replace(/responses$/, "models");
  const isModels = (pathname: string): boolean => pathname === models || pathname.startsWith(`${models}/`);
  return {
    ...adapter,
    handles: (pathname) => isModels(pathname) || adapter.handles?.(pathname) === true,
    async answer(http, agent, options) {
      const { pathname } = new URL(http.url);
      return isModels(pathname) ? listed(http, pathname.slice(models.length + 1)) : adapter.answer(http, agent, options);
    },
  };
}

/** The list of models, or the one of that name. */
function listed({ method }: Request, id: string): Response {
  const allow = "GET, OPTIONS";
  if (method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { allow } });
  }
  const refuse = (status: number, code: string, message: string, headers: HeadersInit = {}): Response =>
    Response.json(convertError({ status, code, message, requestId: "" }), { status, headers });
  if (method !== "GET") {
    return refuse(405, "method_not_allowed", `this path takes ${allow}`, { allow });
  }
  const model = { id: MODEL, object: "model", created: 0, owned_by: "agentwire" };
  if (id === "") {
    return Response.json({ object: "list", data: [model] });
  }
  return id === MODEL ? Response.json(model) : refuse(404, "model_not_found", `The model '${id}' does not exist`);
}

const MODEL = "agent";

function streams({ stream }: AgentRequest): boolean {
  return stream !== false;
}

/** The Response object that the last event has. */
async function whole(stream: Response): Promise<Response> {
  const text = await stream.text();
  const at = text.lastIndexOf("\ndata: ");
  if (at < 0) {
    throw new Error("the run was stopped before its answer had an event");
  }
  const { response } = parseJson(text.slice(at + "\ndata: ".length)) as { response: Json };
  const headers = new Headers(stream.headers);
  headers.set("content-type", "application/json");
  return new Response(stringifyJson(response), { status: stream.status, headers });
}

function convertError({ status, code, message }: RefusedError): object {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return JSON.parse(toolkit().call("responsesError", message, type, code)) as object;
}
