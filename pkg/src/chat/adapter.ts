// The adapter of OpenAI Chat Completions.

import type { ChatRequest, Json } from "../agentwire.js";
import { parseJson } from "../core/json.js";
import { type Adapter, type AdapterDefinition, defineAdapter } from "../server/adapter.js";
import { echoOf } from "../server/echo.js";
import { servedApi } from "../server/served_api.js";
import { openAiError } from "../server/open_ai.js";
import { inPlaceOf, lastEvent } from "../server/whole_answer.js";
import { REQUESTS } from "./request.js";

/**
 * Creates an adapter that serves OpenAI Chat Completions. The path is `/v1/chat/completions` by
 * default.
 *
 * A request with `stream: true` receives the stream, which has the token usage only if
 * `stream_options.include_usage` is true. Any other request receives one completion at the end of
 * the run, or status 500 with an error body if the run has failed. An invalid request receives
 * status 400 with an error body in OpenAI's format.
 *
 * Clients run every call that they receive, so they receive only the calls of the request's `tools`,
 * and calls without a result. If `convertRequest` is given, `echo` of `options` has the members of
 * the request that the answer depends on.
 */
export function chatAdapter(definition: Partial<AdapterDefinition> = {}): Adapter {
  return defineAdapter(
    servedApi(
      {
        path: "/v1/chat/completions",
        protocol: "chat",
        requests: REQUESTS,
        echo: chatEcho,
        whole,
        convertError: openAiError,
      },
      definition,
    ),
  );
}

/** Returns an HTTP response with the completion, or with the error of a run that has failed. */
async function whole(stream: Response): Promise<Response> {
  const body = await lastEvent(stream);
  const { error } = Object(parseJson(body)) as { readonly error?: Json };
  return inPlaceOf(stream, body, error === undefined ? stream.status : 500);
}

/**
 * Returns the properties of a request that its answer depends on: the model, whether the answer is a
 * stream and has its token usage, and the names of the client's tools. Pass the result as the option
 * `echo` of `respond`; `chatAdapter` does this itself.
 *
 * @throws RequestError if the request is not valid
 *
 * ```js
 * const asked = parseRequest("chat", await readBody(request));
 * return respond(request, { protocol: "chat", echo: chatEcho(asked) }, agent);
 * ```
 */
export function chatEcho(request: ChatRequest): { [key: string]: Json } {
  return echoOf("chatEcho", "chatRequestEcho", request);
}
