// The same request in another protocol.

import { check } from "../arguments.js";
import { toolsOf } from "../protocol_requests.js";
import type { RequestInputs } from "../protocol_types.js";
import type { ConvertedRequest } from "./request.js";
import type { Protocol } from "../read_options.js";

/** The protocols of a converted request. */
export interface ConvertRequestOptions<From extends Protocol, To extends Protocol> {
  /** The protocol of the request. */
  readonly from: From;
  /** The protocol that is wanted. */
  readonly to: To;
}

/**
 * Returns the same request in another protocol, and its losses.
 *
 * ```js
 * const { request, losses } = convertRequest(parseRequest("ag-ui", body), { from: "ag-ui", to: "responses" });
 * ```
 *
 * Servers of AG-Kit and A2A keep the conversation: only what follows the agent's last message is sent to them.
 *
 * @throws RequestError for a request that is not valid; AgentwireError `unknown-protocol`
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
