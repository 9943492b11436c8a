// Requests of any protocol: parsing, validating and converting them.

import { check } from "../core/arguments.js";
import type { Protocol } from "../core/outcome.js";
import { toolsOf } from "../generated/registry/requests.js";
import type { RequestInputs } from "../generated/registry/types.js";
import type { RequestProblem } from "../http/request.js";
import { type ConvertedRequest, converted } from "./request.js";

/**
 * Parses the body of a request. Accepts every spelling that servers of the protocol accept, and
 * returns the documented form. Integers beyond 2^53 are `bigint`.
 *
 * ```js
 * try {
 *   input = parseRequest("ag-ui", await readBody(request));
 * } catch (error) {
 *   return error.toResponse();
 * }
 * ```
 *
 * @throws RequestError with all problems; its `toResponse()` returns the response of the protocol's
 * own server
 */
export function parseRequest<P extends Protocol>(protocol: P, body: string): RequestInputs[P] {
  check("parseRequest", { protocol: "string", body: "string" }, [protocol, body]);
  return toolsOf(protocol).parse(body);
}

/**
 * Returns the problems for which a server of the protocol would reject or misread a request; an
 * empty list if the request is valid.
 */
export function validateRequest<P extends Protocol>(
  protocol: P,
  request: RequestInputs[P],
): RequestProblem[] {
  check("validateRequest", { protocol: "string", request: "object" }, [protocol, request]);
  return toolsOf(protocol).validate(request);
}

/** The protocols of a converted request. */
export interface ConvertRequestOptions<From extends Protocol, To extends Protocol> {
  /** The protocol of the request. */
  readonly from: From;
  /** The protocol to convert to. */
  readonly to: To;
}

/**
 * Returns the request in another protocol, and its losses. A request of the same protocol is
 * unchanged.
 *
 * ```js
 * const { request, losses } = convertRequest(parseRequest("ag-ui", body), { from: "ag-ui", to: "responses" });
 * ```
 *
 * Servers of AG-Kit and A2A store the conversation, so a request to them contains only the messages
 * after the agent's last one.
 *
 * @throws RequestError if the request is not valid; AgentwireError `unknown-protocol`
 */
export function convertRequest<From extends Protocol, To extends Protocol>(
  request: RequestInputs[From],
  { from, to }: ConvertRequestOptions<From, To>,
): ConvertedRequest<RequestInputs[To]> {
  check("convertRequest", { request: "object" }, [request]);
  [from, to].forEach(toolsOf);
  const { request: target, losses } = converted<RequestInputs[To] & object>(from, to, request);
  return { request: target, losses };
}
