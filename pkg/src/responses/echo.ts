// Selects the properties of a request that its response repeats.

import type { CreateResponse, Json } from "../agentwire.js";
import { check } from "../core/arguments.js";
import { jsonText } from "../core/json.js";
import { accepted } from "../http/request.js";
import { toolkit } from "../core/wasm.js";

/**
 * Returns the properties of a request that its response repeats, as OpenAI's server does: `model`, `instructions`, `tools`,
 * `temperature`, `metadata` and so on. The credentials of tools are omitted. Pass the result as the option `echo` of `respond`;
 * `responsesAdapter` does this itself.
 *
 * @throws RequestError if the request is not valid
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
