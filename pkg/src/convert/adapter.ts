// One agent behind many protocols.

import type { AgentRequest } from "../agentwire.js";
import { type RespondOptions, respond } from "../emit/emit.js";
import type { Out } from "../emit/out.js";
import { type OnError, told } from "../emit/told.js";
import { AgentwireError, isA } from "../errors.js";
import type { Protocol } from "../outcome.js";
import { RequestError } from "../request.js";
import { type BodyOptions, bodyOptions, readBody } from "../request_body.js";
import { uuid } from "../uuid.js";
import type { CustomProtocol } from "./protocol.js";

/** An agent: writes its answer to a request, which is an `AgentRequest` and has a `session_id` always. `http` is how it came. */
export type Agent = (out: Out, request: AgentRequest, http: Request) => unknown;

/** How a protocol is mounted: where, how a request is read, and how an answer is written. */
export interface AdapterDefinition extends BodyOptions {
  /** The path of the endpoint, `/chat`. */
  readonly path: string;
  /** What the answer is written in. */
  readonly protocol: Protocol | CustomProtocol;
  /**
   * Reads a request's body: what it asks, as an `AgentRequest`. One without `session_id` is given a new UUID. What it
   * throws becomes an answer: a `RequestError` says which; anything else is a 400 which, as with `respond`, says an id, or
   * what `onError` or an `AgentError` says.
   */
  readonly convertRequest: (body: string, http: Request) => AgentRequest | Promise<AgentRequest>;
  /** How the answer is written, besides its protocol. */
  readonly options?: ((request: AgentRequest, http: Request) => RespondOptions) | undefined;
  /** Hears what `convertRequest` and the agent throw, as the option of `respond`. */
  readonly onError?: OnError | undefined;
}

/** A protocol at a path. */
export interface Adapter {
  readonly path: string;
  /** Answers a request with the agent's stream, whatever is wrong with it. */
  answer(http: Request, agent: Agent): Promise<Response>;
}

/**
 * Mounts a protocol at a path.
 *
 * ```js
 * const chatAdapter = defineAdapter({
 *   path: "/chat",
 *   protocol: chat, // of defineProtocol()
 *   convertRequest(body) {
 *     const { ask, room } = JSON.parse(body);
 *     return { session_id: room, input: [{ role: "user", content: [{ type: "text", text: ask }] }] };
 *   },
 * });
 * export default { fetch: mount([chatAdapter], agent) };
 * ```
 */
export function defineAdapter(definition: AdapterDefinition): Adapter {
  const { path, protocol, convertRequest, options, onError } = definition;
  if (typeof path !== "string" || !path.startsWith("/")) {
    throw new AgentwireError("wrong-option", "`path` begins with a slash");
  }
  const bounds = bodyOptions(definition);
  return {
    path,
    async answer(http, agent) {
      let request: AgentRequest;
      try {
        request = inSession(await convertRequest(await readBody(http, bounds), http));
      } catch (error) {
        if (isA(error, RequestError)) {
          return error.toResponse();
        }
        return refused(400, (await told(error, onError, "the request could not be read")).message);
      }
      const sessionId = request.session_id ?? undefined;
      return respond(http, { sessionId, onError, ...options?.(request, http), protocol }, (out) => agent(out, request, http));
    },
  };
}

/** Answers what comes to one of the paths by POST, everything else with 404 or 405. */
export function mount(adapters: readonly Adapter[], agent: Agent): (http: Request) => Promise<Response> {
  const byPath = new Map(adapters.map((adapter) => [adapter.path, adapter]));
  return async (http) => {
    const adapter = byPath.get(new URL(http.url).pathname);
    if (adapter === undefined) {
      return refused(404, `there is nothing here; protocols are at ${[...byPath.keys()].join(", ")}`);
    }
    return http.method === "POST" ? adapter.answer(http, agent) : refused(405, "this path takes POST", { allow: "POST" });
  };
}

/** Callers without a session must not meet in one. */
function inSession(request: AgentRequest): AgentRequest {
  const { session_id } = request;
  if (session_id === undefined || session_id === null || session_id === "") {
    return { ...request, session_id: uuid() };
  }
  if (typeof session_id !== "string") {
    throw new AgentwireError("bad-request", "`session_id` is a string");
  }
  return request;
}

function refused(status: number, detail: string, headers: HeadersInit = {}): Response {
  return Response.json({ detail }, { status, headers });
}
