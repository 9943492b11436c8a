// The functions of protocols for requests: parsing, validating and converting them.

import type * as Toolkit from "../agentwire.js";
import type { AgentRequest, Json } from "../agentwire.js";
import type { CountedLosses, Loss } from "../core/findings.js";
import { jsonOf, jsonText } from "../core/json.js";
import type { Protocol } from "../core/outcome.js";
import { toolkit } from "../core/wasm.js";
import type { PostOptions } from "../http/post.js";
import { type RequestProblem, accepted, problemsIn, problemsOf } from "../http/request.js";

/** A converted request and its losses. */
export interface ConvertedRequest<Request> {
  /** The request object of the target protocol. */
  readonly request: Request;
  /** The parts of the source that the target cannot represent. */
  readonly losses: readonly Loss[];
}

/** The API of a model, as `callModel` uses it. `R` is its request. */
export interface ModelApi<R> {
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
  /**
   * Returns the bytes of a response, which continue after a lost connection, if the API has that.
   */
  readonly continued?: (
    address: URL,
    response: Response,
    options: PostOptions & { readonly fetch: (request: Request) => Promise<Response> },
  ) => AsyncIterator<Uint8Array>;
}

/** The server functions of one protocol for its requests. */
export interface RequestTools<R> {
  /** Parses a body; throws a `RequestError`. */
  parse(body: string): R;
  validate(request: R): RequestProblem[];
  /**
   * Returns the body of an HTTP request, if it is not the request itself, with the headers of the
   * protocol.
   */
  readonly posted?: (request: R) => {
    readonly body: object;
    readonly headers: Readonly<Record<string, string>>;
  };
  /**
   * Returns the response to read, if further requests can be necessary for it. `send` posts a body
   * to the same address.
   */
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
export type TextFunction = {
  [F in keyof typeof Toolkit]: (typeof Toolkit)[F] extends (text: string) => string ? F : never;
}[keyof typeof Toolkit];

/**
 * Returns the functions of a protocol, which the core has under these names. Without `validate`, a
 * request is validated by parsing it.
 */
export function requestTools<R extends object>(
  parse: TextFunction,
  validate: TextFunction | undefined,
  more: Pick<RequestTools<R>, "posted" | "answered" | "model"> = {},
): RequestTools<R> {
  const call = (name: TextFunction, request: object): string =>
    toolkit().call(name, jsonText(request));
  return {
    parse: (body) => accepted(toolkit().call(parse, body))[0] as R,
    validate: (request) =>
      validate === undefined
        ? problemsIn(() => accepted(call(parse, request)))
        : problemsOf(call(validate, request)),
    ...more,
  };
}

/** What the operator of a server changes in the requests to a model. */
export interface RequestSettings {
  /** The name of the model, in place of the one in the request. */
  readonly model?: string | undefined;
  /** The server and the family of models: state of others is left out. */
  readonly scope?: string | undefined;
}

/** A request that the core has converted. */
export interface CoreRequest<R = object> extends CountedLosses {
  readonly request: R;
  /** The tools that the target knows in another form than the source. */
  readonly names: Json;
}

/** The losses of converted requests. */
const LOSSES = new WeakMap<object, CountedLosses>();

/** Sets the losses of a request that was converted. */
export function setLosses(request: object, losses: CountedLosses): void {
  LOSSES.set(request, losses);
}

/** Returns the losses of a request; undefined if it was not converted. */
export function lossesOf(request: object): CountedLosses | undefined {
  return LOSSES.get(request);
}

/**
 * Converts the request of a protocol to that of another one. Throws a `RequestError` if the request
 * is not valid.
 */
export function converted<R extends object>(
  from: Protocol,
  to: Protocol,
  request: object,
  settings: RequestSettings = {},
): CoreRequest<R> {
  const [target, losses, names] = accepted(
    toolkit().call("convertRequest", from, to, jsonText(request), jsonOf({ ...settings })),
  ) as [R, CountedLosses, Json];
  setLosses(target, losses);
  return { request: target, names, ...losses };
}

/** Returns the request of an agent for that of a client. */
export function asAgentRequest(from: Protocol, request: object): AgentRequest {
  return converted<AgentRequest & object>(from, "agent-api", request).request;
}
