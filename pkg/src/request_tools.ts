// The functions of a protocol for requests on a server. Types only.

import type { AgentRequest } from "./agentwire.js";
import type { ConvertedRequest } from "./convert/request.js";
import type { RequestProblem } from "./request.js";

/** The functions of one protocol for its requests. */
export interface RequestTools<R> {
  /** Reads a body; throws a `RequestError`. */
  parse(body: string): R;
  validate(request: R): RequestProblem[];
  /** Returns the Agent API request that asks the same; throws a `RequestError`. */
  toAgentRequest(request: R): ConvertedRequest<AgentRequest>;
  /** Returns the request of this protocol that asks the same; throws a `RequestError`. */
  fromAgentRequest(request: AgentRequest): ConvertedRequest<R>;
}
