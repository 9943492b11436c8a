// The functions of protocols for requests: parsing, validating and converting them.

import type * as Toolkit from "../agentwire.js";
import type { AgentRequest, Json } from "../agentwire.js";
import type { Loss } from "../core/findings.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { type RequestProblem, accepted, problemsIn, problemsOf } from "../http/request.js";

/** A converted request and its losses. */
export interface ConvertedRequest<Request> {
  /** The request object of the target protocol. */
  readonly request: Request;
  /** The parts of the source that the target cannot represent. */
  readonly losses: readonly Loss[];
}

/** The API of a model, as `callModel` uses it. `R` is its request, `S` the snapshot of its answer. */
export interface ModelApi<R, S = any> {
  /** The base address of the provider, as of its official client. */
  readonly url: string;
  /** Returns the path below the base address, with encoded segments. */
  path(model: string | undefined): string;
  /** The query of the request. */
  readonly query?: Readonly<Record<string, string>>;
  /** Returns the headers with the key. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** Returns the request of a stream of events. */
  streamed(request: R): R;
  /** Returns the calls of the answer that the client runs. Each has its id in `callId`, which can be absent if `hasPlaces`. */
  calls(snapshot: S): readonly object[];
  readonly callId: string;
  /** Whether a call without an id is known by its place. */
  readonly hasPlaces?: boolean;
  /** Returns the next request, with the results of all calls of the answer. */
  submitToolResults(previous: R, snapshot: S, results: Readonly<Record<string, Json>>): R;
}

/** The server functions of one protocol for its requests. */
export interface RequestTools<R> {
  /** Parses a body; throws a `RequestError`. */
  parse(body: string): R;
  validate(request: R): RequestProblem[];
  /** Returns the equivalent Agent API request; throws a `RequestError`. */
  toAgentRequest(request: R): ConvertedRequest<AgentRequest>;
  /** Returns the equivalent request of this protocol; throws a `RequestError`. */
  fromAgentRequest(request: AgentRequest): ConvertedRequest<R>;
  /** Returns the body of an HTTP request, if it is not the request itself, with the headers of the protocol. */
  readonly posted?: (request: R) => { readonly body: object; readonly headers: Readonly<Record<string, string>> };
  /** Returns the response to read, if further requests can be necessary for it. `send` posts a body to the same address. */
  readonly answered?: (
    response: Response,
    request: R,
    send: (body: object, headers: Readonly<Record<string, string>>) => Promise<Response>,
    signal: AbortSignal | undefined,
  ) => Promise<Response>;
  /** The API, if the protocol is that of a model. */
  readonly model?: ModelApi<R>;
}

/** The functions of the core that take a text and return one. */
type TextFunction = { [F in keyof typeof Toolkit]: (typeof Toolkit)[F] extends (text: string) => string ? F : never }[keyof typeof Toolkit];

/** Returns the functions of a protocol, which the core has under these names. Without `validate`, a request is validated by parsing it. */
export function requestTools<R extends object>(
  parse: TextFunction,
  validate: TextFunction | undefined,
  toAgentRequest: TextFunction,
  fromAgentRequest: TextFunction,
  more: Pick<RequestTools<R>, "posted" | "answered" | "model"> = {},
): RequestTools<R> {
  const call = (name: TextFunction, request: object): string => toolkit().call(name, jsonText(request));
  // The result is `[request, losses]`.
  const converted = <To>(json: string): ConvertedRequest<To> => {
    const [request, { losses }] = accepted(json) as [To, { losses: readonly Loss[] }];
    return { request, losses };
  };
  return {
    parse: (body) => accepted(toolkit().call(parse, body))[0] as R,
    validate: (request) => (validate === undefined ? problemsIn(() => accepted(call(parse, request))) : problemsOf(call(validate, request))),
    toAgentRequest: (request) => converted(call(toAgentRequest, request)),
    fromAgentRequest: (request) => converted(call(fromAgentRequest, request)),
    ...more,
  };
}
