// Reading and checking requests on a server.

import { check } from "../arguments.js";
import { toolsOf } from "../protocol_requests.js";
import type { RequestInputs } from "../protocol_types.js";
import type { Protocol } from "../read_options.js";
import type { RequestProblem } from "../request.js";

/**
 * Parses the body of a request. Every spelling that servers of the protocol accept is accepted; the result has the documented form.
 * Integers beyond 2^53 are `bigint`.
 *
 * ```js
 * try {
 *   input = parseRequest("ag-ui", await readBody(request));
 * } catch (error) {
 *   return error.toResponse();
 * }
 * ```
 *
 * @throws RequestError with all problems, whose `toResponse()` answers as the protocol's own server does
 */
export function parseRequest<P extends Protocol>(protocol: P, body: string): RequestInputs[P] {
  check("parseRequest", { protocol: "string", body: "string" }, [protocol, body]);
  return toolsOf(protocol).parse(body);
}

/** Returns the problems for which a server of the protocol would refuse or misread a request; an empty list for a valid one. */
export function validateRequest<P extends Protocol>(protocol: P, request: RequestInputs[P]): RequestProblem[] {
  check("validateRequest", { protocol: "string", request: "object" }, [protocol, request]);
  return toolsOf(protocol).validate(request);
}
