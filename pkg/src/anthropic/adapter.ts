// The adapter of Anthropic Messages.

import type { Json, MessagesRequest } from "../agentwire.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { REQUEST_ID, contextOf } from "../http/context.js";
import { accepted } from "../http/request.js";
import { readBody } from "../http/request_body.js";
import {
  type Adapter,
  type AdapterDefinition,
  type RefusedError,
  bounds,
  defineAdapter,
  refusal,
} from "../server/adapter.js";
import { echoOf } from "../server/echo.js";
import { servedApi } from "../server/served_api.js";
import { inPlaceOf, lastEvent } from "../server/whole_answer.js";
import { REQUESTS } from "./request.js";

/** The definition of the adapter of Anthropic Messages. */
export interface AnthropicAdapterDefinition extends AdapterDefinition {
  /**
   * Counts the input tokens of a request, for `POST {path}/count_tokens`. By default the count is an
   * estimate: a token for four bytes of the texts, and 1,600 for an image.
   */
  readonly countTokens?:
    | ((request: MessagesRequest, http: Request) => number | Promise<number>)
    | undefined;
}

/**
 * Creates an adapter that serves Anthropic Messages. The path is `/v1/messages` by default.
 *
 * A request with `stream: true` receives the stream. Any other request receives one message at the
 * end of the run, or an error response if the run has failed. An invalid request receives status 400
 * with an error body in the API's format. `POST {path}/count_tokens` returns the number of input
 * tokens.
 *
 * The client runs the tools of its request only. The answer has the calls of any other tool, and
 * their results, as those of an MCP server that the agent has called. If `convertRequest` is given,
 * `echo` of `options` has the members of the request that the answer depends on.
 */
export function anthropicAdapter(definition: Partial<AnthropicAdapterDefinition> = {}): Adapter {
  const { countTokens = estimatedTokens, ...own } = definition;
  const full = servedApi(
    {
      path: "/v1/messages",
      protocol: "anthropic",
      requests: REQUESTS,
      echo: answerEcho,
      whole,
      convertError: anthropicError,
    },
    own,
  );
  const adapter = defineAdapter(full);
  const tokens = `${adapter.path}/count_tokens`;
  return {
    ...adapter,
    handles: (pathname) => pathname === tokens || adapter.handles?.(pathname) === true,
    async answer(http, agent, options = {}) {
      if (new URL(http.url).pathname !== tokens) {
        return inOwnStatus(await adapter.answer(http, agent, options));
      }
      const context = contextOf(http, options);
      const headers = { [REQUEST_ID]: context.id };
      const allow = "POST, OPTIONS";
      if (http.method === "OPTIONS") {
        return new Response(null, { status: 204, headers: { allow } });
      }
      const convertError = full.convertError!;
      if (http.method !== "POST") {
        const error = { status: 405, code: "", message: `this path takes ${allow}` };
        return Response.json(convertError({ ...error, requestId: context.id }), {
          status: 405,
          headers: { ...headers, allow },
        });
      }
      try {
        const body = options.body ?? (await readBody(http, bounds(full, options)));
        const count = await countTokens(REQUESTS.parse(body), http);
        return Response.json({ input_tokens: count }, { headers });
      } catch (error) {
        const onError = full.onError ?? options.onError;
        const what = "the tokens could not be counted";
        return refusal(error, onError, context, 500, what, convertError);
      }
    },
  };
}

/** Returns what the answer to a request depends on, with the name of the client. */
function answerEcho(request: MessagesRequest, http: Request): { [key: string]: Json } {
  const name = http.headers.get("user-agent");
  return { ...messagesEcho(request), ...(name !== null && { user_agent: name }) };
}

/** Returns an HTTP response with the message, or with the error of a run that has failed. */
async function whole(stream: Response): Promise<Response> {
  const body = await lastEvent(stream);
  return inPlaceOf(stream, body, toolkit().call("anthropicErrorStatus", body) || stream.status);
}

/** Returns an error response with the status of its error: a request can be too long for a model. */
async function inOwnStatus(response: Response): Promise<Response> {
  if (response.status !== 400) {
    return response;
  }
  const body = await response.text();
  return inPlaceOf(response, body, toolkit().call("anthropicErrorStatus", body) || 400);
}

/** Returns an error response in the format that the API's clients read. */
function anthropicError({ status, message, requestId }: RefusedError): object {
  const [, body] = JSON.parse(toolkit().call("anthropicError", status, message, requestId)) as [
    number,
    object,
  ];
  return body;
}

function estimatedTokens(request: MessagesRequest): number {
  return accepted(toolkit().call("messagesRequestTokens", jsonText(request)))[0] as number;
}

/**
 * Returns the properties of a request that its answer depends on: the model, whether the answer is a
 * stream, and the names of the client's tools. Pass the result as the option `echo` of `respond`;
 * `anthropicAdapter` does this itself.
 *
 * @throws RequestError if the request is not valid
 *
 * ```js
 * const asked = parseRequest("anthropic", await readBody(request));
 * return respond(request, { protocol: "anthropic", echo: messagesEcho(asked) }, agent);
 * ```
 */
export function messagesEcho(request: MessagesRequest): { [key: string]: Json } {
  return echoOf("messagesEcho", "messagesRequestEcho", request);
}
