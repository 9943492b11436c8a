// Converting a request between protocols.

import { check } from "../core/arguments.js";
import { toolsOf } from "../generated/registry/requests.js";
import type { RequestInputs } from "../generated/registry/types.js";
import type { ConvertedRequest } from "./request.js";
import type { Protocol } from "../core/read_options.js";

/** The protocols of a converted request. */
export interface ConvertRequestOptions<From extends Protocol, To extends Protocol> {
  /** The protocol of the request. */
  readonly from: From;
  /** The protocol to convert to. */
  readonly to: To;
}

/**
 * Returns the request in another protocol, and its losses.
 *
 * ```js
 * const { request, losses } = convertRequest(parseRequest("ag-ui", body), { from: "ag-ui", to: "responses" });
 * ```
 *
 * Servers of AG-Kit and A2A store the conversation, so a request to them contains only the messages after the agent's
 * last one.
 *
 * @throws RequestError if the request is not valid; AgentwireError `unknown-protocol`
 */
export function convertRequest<From extends Protocol, To extends Protocol>(
  request: RequestInputs[From],
  { from, to }: ConvertRequestOptions<From, To>,
): ConvertedRequest<RequestInputs[To]> {
  check("convertRequest", { request: "object" }, [request]);
  const [source, target] = [toolsOf(from), toolsOf(to)];
  const asked = source.toAgentRequest(request);
  const converted = target.fromAgentRequest(asked.request);
  return { request: converted.request, losses: [...asked.losses, ...converted.losses] };
}
