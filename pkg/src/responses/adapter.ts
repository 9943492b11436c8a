// The adapter of OpenAI Responses.

import type { AgentRequest, CreateResponse, Json } from "../agentwire.js";
import { asAgentRequest } from "../convert/request.js";
import { excerpt } from "../core/excerpt.js";
import { parseJson, stringifyJson } from "../core/json.js";
import { storedAnswer } from "../http/context.js";
import { RequestError } from "../http/request.js";
import { REQUESTS } from "./request.js";
import {
  type Adapter,
  type AdapterDefinition,
  defineAdapter,
  errorResponse,
} from "../server/adapter.js";
import { echoOf } from "../server/echo.js";
import { openAiError } from "../server/open_ai.js";
import { inPlaceOf, lastEvent } from "../server/whole_answer.js";
import { serveSocket } from "./socket/serve.js";
import { upgraded } from "./socket/upgrade.js";

/**
 * Creates an adapter that serves OpenAI Responses. The path is `/v1/responses` by default;
 * AgentScope's runtime uses `/compatible-mode/v1/responses`.
 *
 * A request with `stream: true` receives the stream. Any other request receives one Response object
 * at the end of the run. A failed run also has HTTP status 200; `status` and `error` of its
 * Response object contain the failure. An invalid request receives status 400 with an error body in
 * OpenAI's format.
 *
 * The response repeats properties of the request (`model`, `instructions`, `tools`, …). If
 * `convertRequest` is given, it repeats only `echo` of `options`.
 *
 * `GET {path}/{id}` calls `retrieve`, which must store the responses itself. Without `retrieve`
 * every id is unknown: each Response object has `store: false`, and a request with
 * `previous_response_id` receives status 400, code `previous_response_not_found`, because the turns
 * before it would be missing. With `retrieve`, or your own `convertRequest`, the agent resolves
 * that id.
 *
 * A request for a WebSocket at the path is upgraded on Workers and in Deno; elsewhere it receives
 * status 426, and `serveSocket` serves the sockets of the platform.
 */
export function responsesAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  const requests = new WeakMap<Request, CreateResponse>();
  const stores = definition.retrieve !== undefined;
  const adapter = defineAdapter({
    path: "/v1/responses",
    protocol: "responses",
    convertRequest(body, http) {
      const request = REQUESTS.parse(body);
      const { previous_response_id: previous } = request;
      // A service that stores responses has put the turns before this one into the request.
      if (previous && !stores && storedAnswer(http) === undefined) {
        throw previousNotFound(previous);
      }
      requests.set(http, request);
      return asAgentRequest("responses", request);
    },
    // A response whose id was determined is stored: its events are, whatever the client receives.
    convertResponse: (stream, request, http) =>
      streams(request) || storedAnswer(http)?.responseId !== undefined ? stream : whole(stream),
    convertError: openAiError,
    retrieve: () => undefined,
    ...definition,
    options(request, http) {
      const own = requests.get(http);
      const isStored = stores || storedAnswer(http)?.responseId !== undefined;
      // A client that believes that a response is stored sends its id instead of the conversation.
      const store = isStored && own?.store !== false;
      const echo = { ...(own && responsesEcho(own)), store };
      return { echo, ...definition.options?.(request, http) };
    },
  });
  return {
    ...adapter,
    upgrade(http, handler) {
      // After the upgrade, Deno lets nothing of the request be read.
      const handshake = new Request(http.url, { headers: http.headers });
      const upgrade = upgraded(http);
      if (upgrade === undefined) {
        const message = "this platform opens no WebSocket by itself: use POST, or `serveSocket`";
        const error = { status: 426, code: "upgrade_required", message, requestId: "" };
        return errorResponse(error, { upgrade: "websocket" }, adapter.convertError);
      }
      serveSocket(handler, upgrade.socket, handshake, { maxMessageBytes: definition.maxBodyBytes });
      return upgrade.response;
    },
  };
}

/**
 * Returns the refusal of a request that continues a response which does not exist, as OpenAI's
 * server words it.
 */
function previousNotFound(id: string): RequestError {
  const path = "previous_response_id";
  const message = `Previous response with id '${excerpt(id)}' not found.`;
  const code = "previous_response_not_found";
  const error = { message, type: "invalid_request_error", param: path, code };
  const expected =
    "should be the id of a stored response: this server stores none, so send the whole conversation as `input`";
  return new RequestError({
    status: 400,
    contentType: "application/json",
    body: JSON.stringify({ error }),
    message,
    problems: [{ path, code, expected, actual: excerpt(id) }],
  });
}

function streams({ stream }: AgentRequest): boolean {
  return stream !== false;
}

/** Returns an HTTP response with the Response object of the last event. */
async function whole(stream: Response): Promise<Response> {
  const { response } = parseJson(await lastEvent(stream)) as { response: Json };
  return inPlaceOf(stream, stringifyJson(response));
}

/**
 * Returns the properties of a request that its response repeats, as OpenAI's server does: `model`,
 * `instructions`, `tools`, `temperature`, `metadata` and so on. The credentials of tools are
 * omitted. Pass the result as the option `echo` of `respond`; `responsesAdapter` does this itself.
 *
 * @throws RequestError if the request is not valid
 *
 * ```js
 * const asked = parseRequest("responses", await readBody(request));
 * return respond(request, { protocol: "responses", echo: responsesEcho(asked) }, agent);
 * ```
 */
export function responsesEcho(request: CreateResponse): { [key: string]: Json } {
  return echoOf("responsesEcho", "createResponseEcho", request);
}
