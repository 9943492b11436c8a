// What the adapters of the APIs of models share: an answer is a stream only if the request says so,
// and depends on members of the request.

import type { Json } from "../agentwire.js";
import { type RequestTools, asAgentRequest } from "../convert/request.js";
import { storedAnswer } from "../http/context.js";
import type { AdapterDefinition, RefusedError } from "./adapter.js";

/** An API of a model. */
interface ServedApi<R extends object> {
  readonly path: string;
  readonly protocol: "chat" | "anthropic";
  readonly requests: RequestTools<R>;
  /** Returns what the answer to a request depends on: members of the request, and headers. */
  readonly echo: (request: R, http: Request) => { [key: string]: Json };
  /** Returns an HTTP response with the whole answer, or with the error of a run that has failed. */
  readonly whole: (stream: Response) => Promise<Response>;
  readonly convertError: (error: RefusedError) => object;
}

/** Returns the definition of an adapter of this API, with changes of the caller. */
export function servedApi<R extends { readonly stream?: boolean | null | undefined }>(
  { path, protocol, requests, echo, whole, convertError }: ServedApi<R>,
  definition: Partial<AdapterDefinition>,
): AdapterDefinition {
  const received = new WeakMap<Request, R>();
  return {
    path,
    protocol,
    convertRequest(body, http) {
      const request = requests.parse(body);
      received.set(http, request);
      return asAgentRequest(protocol, { ...request, stream: request.stream === true });
    },
    // Of a stored answer, the events are stored.
    convertResponse: (stream, request, http) =>
      request.stream !== false || storedAnswer(http) !== undefined ? stream : whole(stream),
    convertError,
    ...definition,
    options(request, http) {
      const own = received.get(http);
      return { ...(own && { echo: echo(own, http) }), ...definition.options?.(request, http) };
    },
  };
}
