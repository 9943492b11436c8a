// One agent behind many protocols.

import type { AgentRequest } from "../agentwire.js";
import { knownOptions } from "../option_names.js";
import { type RespondOptions, respond } from "../emit/emit.js";
import type { AgentWriter } from "../emit/out.js";
import { type OnError, told } from "../emit/told.js";
import { AgentwireError, isA } from "../errors.js";
import type { Protocol } from "../outcome.js";
import { RequestError } from "../request.js";
import { BODY_OPTIONS, type BodyOptions, bodyOptions, readBody } from "../request_body.js";
import { type Platform, REQUEST_ID, type RequestContext, contextOf, outlive } from "../server/context.js";
import { uuid } from "../uuid.js";
import type { CustomProtocol } from "./protocol.js";
import type { HeadersLike } from "../platform.js";

/**
 * An agent: writes its answer to a request, which is an `AgentRequest` and has a `session_id` always. The context says how
 * it came: the HTTP request, its `id`, and what the platform gives.
 */
export type AgentFunction<Env = any, Ctx = any> = (out: AgentWriter, request: AgentRequest, context: RequestContext<Env, Ctx, Request>) => unknown;

/** How a protocol is mounted: where, how a request is read, and how an answer is written. */
export interface AdapterDefinition extends BodyOptions {
  /** The path of the endpoint, `/chat`. */
  readonly path: string;
  /** What the answer is written in. */
  readonly protocol: Protocol | CustomProtocol;
  /**
   * Whether the body of a request is one of this protocol's, where several protocols share a path. The first that says so
   * answers, or else the first that does not say. By default it does not say.
   */
  readonly detect?: ((body: string, http: Request) => boolean) | undefined;
  /**
   * Reads a request's body: what it asks, as an `AgentRequest`. One without `session_id` is given a new UUID. What it
   * throws becomes an answer: a `RequestError` says which; anything else is a 400 which, as with `respond`, says an id, or
   * what `onError` or an `AgentError` says.
   */
  readonly convertRequest: (body: string, http: Request) => AgentRequest | Promise<AgentRequest>;
  /**
   * What is answered with, made of the stream that the answer is: the stream itself, unless it is said otherwise. For clients that
   * want one JSON object.
   */
  readonly convertResponse?: ((stream: Response, request: AgentRequest, http: Request) => Response | Promise<Response>) | undefined;
  /** The JSON of an answer that is no stream because something went wrong: `{ detail, code, request_id }` by default. */
  readonly convertError?: ((error: RefusedError) => object) | undefined;
  /**
   * Answers `GET {path}/{id}`: a response that was made before, or undefined where there is none of that id, which is a 404.
   * Without it nothing is below the path.
   */
  readonly retrieve?: ((id: string, http: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
  /** How the answer is written, besides its protocol. */
  readonly options?: ((request: AgentRequest, http: Request) => RespondOptions) | undefined;
  /** Hears what `convertRequest`, `options` and the agent throw, as the option of `respond`. */
  readonly onError?: OnError | undefined;
}

/** What went wrong with a request. */
export interface RefusedError {
  readonly status: number;
  /** For programs. */
  readonly code: string;
  /** For people; says no more than a client may know. */
  readonly message: string;
  readonly requestId: string;
}

/** What a request comes with, and what counts where an adapter's definition says nothing. */
export interface AdapterOptions<Env = unknown, Ctx = unknown> extends BodyOptions, Platform<Env, Ctx> {
  readonly onError?: OnError<Env, Ctx> | undefined;
  /** The body, where it has been read already. */
  readonly body?: string | undefined;
}

/** A protocol at a path. */
export interface Adapter {
  readonly path: string;
  /** See {@link AdapterDefinition.detect}. */
  readonly detect?: ((body: string, http: Request) => boolean) | undefined;
  /** Other paths than `path` at which it answers, whatever the HTTP method. By default there are none. */
  readonly handles?: ((pathname: string) => boolean) | undefined;
  /** See {@link AdapterDefinition.convertError}: also for what is refused before this adapter is asked. */
  readonly convertError?: ((error: RefusedError) => object) | undefined;
  /** Answers a request with the agent's stream, whatever is wrong with it. Never rejects. */
  answer<Env = unknown, Ctx = unknown>(http: Request, agent: AgentFunction<Env, Ctx>, options?: AdapterOptions<Env, Ctx>): Promise<Response>;
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
 * export default { fetch: createHandler({ adapters: [chatAdapter], agent }) };
 * ```
 */
export function defineAdapter(definition: AdapterDefinition): Adapter {
  const { path, protocol, convertRequest, convertResponse, convertError, detect, retrieve } = definition;
  if (typeof path !== "string" || !path.startsWith("/")) {
    throw new AgentwireError("wrong-option", "`path` begins with a slash");
  }
  if (typeof convertRequest !== "function") {
    throw new AgentwireError("missing-argument", "defineAdapter(): `convertRequest` is a function that makes an AgentRequest of a body");
  }
  knownOptions("the definition of an adapter", definition, ADAPTER_OPTIONS);
  bodyOptions(definition);
  const below = `${path}/`;
  return {
    path,
    detect,
    convertError,
    handles: retrieve && ((pathname) => pathname.startsWith(below)),
    async answer(http, agent, given = {}) {
      const context = contextOf(http, given);
      const onError = definition.onError ?? given.onError;
      const { pathname } = new URL(http.url);
      if (retrieve !== undefined && pathname.startsWith(below)) {
        return retrieved(http, context, retrieve, pathname.slice(below.length), onError, convertError);
      }
      let request: AgentRequest;
      try {
        const body = given.body ?? (await readBody(http, bounds(definition, given)));
        request = inSession(await convertRequest(body, http));
      } catch (error) {
        return refusal(error, onError, context, 400, "the request could not be read", convertError);
      }
      try {
        const sessionId = request.session_id;
        const written = definition.options?.(request, http);
        const { id: requestId, env, ctx } = context;
        const stream = respond(http, { sessionId, onError, ...written, requestId, env, ctx, protocol }, (out) => agent(out, request, context));
        return convertResponse === undefined ? stream : await convertResponse(stream, request, http);
      } catch (error) {
        return refusal(error, onError, context, 500, "the request could not be answered", convertError);
      }
    },
  };
}

const ADAPTER_OPTIONS: readonly string[] = [
  ...["path", "protocol", "detect", "convertRequest", "convertResponse", "convertError", "retrieve", "options", "onError"],
  ...BODY_OPTIONS,
];

/** A response that was made before. */
async function retrieved(
  http: Request,
  context: RequestContext,
  retrieve: NonNullable<AdapterDefinition["retrieve"]>,
  id: string,
  onError: OnError | undefined,
  convertError: AdapterDefinition["convertError"],
): Promise<Response> {
  const allow = "GET, OPTIONS";
  const refuse = (status: number, code: string, message: string, headers: HeadersLike = {}) =>
    refused({ status, code, message, requestId: context.id }, { ...headers, [REQUEST_ID]: context.id }, convertError);
  if (http.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { allow } });
  }
  if (http.method !== "GET") {
    return refuse(405, "method_not_allowed", "responses are got with GET", { allow });
  }
  try {
    return (await retrieve(id, http)) ?? refuse(404, "not_found", `Response with id '${id}' not found.`);
  } catch (error) {
    return refusal(error, onError, context, 500, "the response could not be got", convertError);
  }
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

/** What the definition of an adapter says of bodies, and where it says nothing what its mounting says. */
export function bounds(definition: BodyOptions, given: BodyOptions): BodyOptions {
  return {
    maxBodyBytes: definition.maxBodyBytes ?? given.maxBodyBytes,
    bodyTimeoutMs: definition.bodyTimeoutMs ?? given.bodyTimeoutMs,
    contentTypes: definition.contentTypes ?? given.contentTypes,
  };
}

/** The answer where there is no stream: what a `RequestError` says, or a masked error. */
export async function refusal(
  error: unknown,
  onError: OnError | undefined,
  context: RequestContext,
  status: number,
  what: string,
  convertError?: AdapterDefinition["convertError"],
): Promise<Response> {
  const header = { [REQUEST_ID]: context.id };
  if (isA(error, RequestError)) {
    // What is wrong with the body itself is said by whoever reads bodies, in no protocol's words.
    const [problem] = error.problems;
    const own = problem?.path !== "body" || convertError === undefined;
    const { status, message } = error;
    return own ? error.toResponse(header) : refused({ status, code: problem.code, message, requestId: context.id }, header, convertError);
  }
  const telling = told(error, onError, what, context);
  outlive(context.ctx, telling);
  const { code, message } = await telling;
  return refused({ status, code, message, requestId: context.id }, header, convertError);
}

export function refused(error: RefusedError, headers: HeadersLike, convertError: AdapterDefinition["convertError"]): Response {
  const { status, code, message, requestId } = error;
  return Response.json(convertError?.(error) ?? { detail: message, code, request_id: requestId }, { status, headers });
}
