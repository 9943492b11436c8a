// OpenAI Responses at a path.

import type { AgentRequest, CreateResponse, Json } from "../agentwire.js";
import { type Adapter, type AdapterDefinition, type RefusedError, defineAdapter } from "../convert/adapter.js";
import { parseJson, stringify } from "../json.js";
import { toolkit } from "../wasm.js";
import { createResponseEcho, createResponseToAgentRequest, parseCreateResponse } from "./request.js";

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
 */
export function responsesAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  const asked = new WeakMap<Request, CreateResponse>();
  return defineAdapter({
    path: "/v1/responses",
    protocol: "responses",
    convertRequest(body, http) {
      const request = parseCreateResponse(body);
      asked.set(http, request);
      return createResponseToAgentRequest(request).request;
    },
    convertResponse: (stream, request) => (streams(request) ? stream : whole(stream)),
    convertError,
    retrieve: () => undefined,
    ...definition,
    options(request, http) {
      const own = asked.get(http);
      return { echo: own && createResponseEcho(own), ...definition.options?.(request, http) };
    },
  });
}

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
  return new Response(stringify(response), { status: stream.status, headers });
}

function convertError({ status, code, message }: RefusedError): object {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return JSON.parse(toolkit().call("responsesError", message, type, code)) as object;
}
