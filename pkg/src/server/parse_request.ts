// Parsing and validating requests on a server.

import { check } from "../core/arguments.js";
import { toolsOf } from "../generated/registry/requests.js";
import type { RequestInputs } from "../generated/registry/types.js";
import type { Protocol } from "../core/read_options.js";
import type { RequestProblem } from "../http/request.js";

/**
 * Parses the body of a request. Accepts every spelling that servers of the protocol accept, and returns the documented
 * form. Integers beyond 2^53 are `bigint`.
 *
 * ```js
 * try {
 *   input = parseRequest("ag-ui", await readBody(request));
 * } catch (error) {
 *   return error.toResponse();
 * }
 * ```
 *
 * @throws RequestError with all problems; its `toResponse()` returns the response of the protocol's own server
 */
export function parseRequest<P extends Protocol>(protocol: P, body: string): RequestInputs[P] {
  check("parseRequest", { protocol: "string", body: "string" }, [protocol, body]);
  return toolsOf(protocol).parse(body);
}

/**
 * Returns the problems for which a server of the protocol would reject or misread a request; an empty list if the
 * request is valid.
 */
export function validateRequest<P extends Protocol>(protocol: P, request: RequestInputs[P]): RequestProblem[] {
  check("validateRequest", { protocol: "string", request: "object" }, [protocol, request]);
  return toolsOf(protocol).validate(request);
}
