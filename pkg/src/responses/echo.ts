// The members of a request that its response repeats.

import type { CreateResponse, Json } from "../agentwire.js";
import { check } from "../arguments.js";
import { jsonText } from "../emit/options.js";
import { accepted } from "../request.js";
import { toolkit } from "../wasm.js";

/**
 * Returns what the response to a request repeats of it, as OpenAI's server does: `model`, `instructions`, `tools`, `temperature`,
 * `metadata` and so on. It is the option `echo` of `respond`; `responsesAdapter` sets it by itself. What authorizes a tool is left out.
 * Throws a `RequestError` if the request is not valid.
 *
 * ```js
 * const asked = parseRequest("responses", await readBody(request));
 * return respond(request, { protocol: "responses", echo: responsesEcho(asked) }, agent);
 * ```
 */
export function responsesEcho(request: CreateResponse): { [key: string]: Json } {
  check("responsesEcho", { request: "object" }, [request]);
  return accepted(toolkit().call("createResponseEcho", jsonText(request)))[0] as { [key: string]: Json };
}
