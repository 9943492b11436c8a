// The server functions of a protocol for requests. Types only.

import type { AgentRequest } from "./agentwire.js";
import type { ConvertedRequest } from "./convert/request.js";
import type { RequestProblem } from "./request.js";

/** The server functions of one protocol for its requests. */
export interface RequestTools<R> {
  /** Parses a body; throws a `RequestError`. */
  parse(body: string): R;
  validate(request: R): RequestProblem[];
  /** Returns the equivalent Agent API request; throws a `RequestError`. */
  toAgentRequest(request: R): ConvertedRequest<AgentRequest>;
  /** Returns the equivalent request of this protocol; throws a `RequestError`. */
  fromAgentRequest(request: AgentRequest): ConvertedRequest<R>;
}
