// Adapters: one agent behind several protocols.

import type { AgentRequest } from "../agentwire.js";
import { lossesOf } from "../convert/request.js";
import { knownOptions } from "../core/arguments.js";
import type { Loss } from "../core/findings.js";
import { excerpt } from "../core/excerpt.js";
import { Beginning } from "../emit/beginning.js";
import { HEARTBEAT, type OnLosses, type RespondOptions, respondFrom } from "../emit/emit.js";
import { mustBeWhole } from "../emit/lost.js";
import type { AgentWriter } from "../emit/out.js";
import { RunLosses } from "../emit/run_losses.js";
import { type OnError, errorInfoFor } from "../emit/agent_error.js";
import { mustBeHandler } from "../core/error_handler.js";
import { isA, must } from "../core/errors.js";
import type { WritableProtocol } from "../generated/contract.js";
import { RequestError } from "../http/request.js";
import { BODY_OPTIONS, type BodyOptions, bodyOptions, readBody } from "../http/request_body.js";
import {
  type Platform,
  REQUEST_ID,
  type RequestContext,
  type StoredAnswer,
  contextOf,
  outlive,
  storedAnswer,
} from "../http/context.js";
import { uuid } from "../core/random.js";
import type { CustomProtocol } from "../convert/protocol.js";
import type { HeadersLike } from "../core/platform.js";
import { Conversation } from "../conversation/conversation.js";

/**
 * An agent: writes the response to a request, or returns it: a text, a stream, or an async iterable
 * of texts or events. The context holds the HTTP request, its `id`, and the values of the platform.
 */
export type AgentFunction<Env = any, Ctx = any> = (
  out: AgentWriter,
  request: Conversation,
  context: RequestContext<Env, Ctx, Request>,
) => unknown;

/** The definition of an adapter: its path, and how requests are read and responses are written. */
export interface AdapterDefinition extends BodyOptions {
  /** The path of the endpoint, for example `/chat`. */
  readonly path: string;
  /** The protocol of the response. */
  readonly protocol: WritableProtocol | CustomProtocol;
  /**
   * Returns whether the body of a request belongs to this protocol, for several protocols at one
   * path. The first adapter that returns true handles the request; otherwise the first one without
   * `detect`. By default there is no `detect`.
   */
  readonly detect?: ((body: string, http: Request) => boolean) | undefined;
  /**
   * Converts the body of a request to an `AgentRequest`. A request without `session_id` gets a new
   * UUID. A thrown `RequestError` is sent as the response; other errors become a 400 response with
   * a masked error, as with `respond`.
   */
  readonly convertRequest: (body: string, http: Request) => AgentRequest | Promise<AgentRequest>;
  /**
   * Returns the id of the conversation of a request whose client sends only its new messages, or
   * the id and what it is an id within, such as the client's name of its user. With a store, the
   * agent receives the earlier messages of the conversation before those of the request. By
   * default, a request has the whole conversation.
   */
  readonly conversation?:
    | ((body: string, http: Request) => string | readonly [id: string, within: string] | undefined)
    | undefined;
  /**
   * Converts the stream of the response to the HTTP response, for clients that expect a single JSON
   * object. By default the stream is the response.
   */
  readonly convertResponse?:
    | ((stream: Response, request: AgentRequest, http: Request) => Response | Promise<Response>)
    | undefined;
  /** Returns the JSON of an error response: `{ detail, code, request_id }` by default. */
  readonly convertError?: ((error: RefusedError) => object) | undefined;
  /**
   * Handles `GET {path}/{id}`: returns an earlier response, or undefined for a 404. By default no
   * path below `path` is handled.
   */
  readonly retrieve?:
    | ((id: string, http: Request) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /** Returns further options for `respond`. */
  readonly options?:
    | ((request: AgentRequest, http: Request) => Partial<RespondOptions>)
    | undefined;
  /**
   * Called with the errors of `convertRequest`, `options` and the agent; see `onError` of
   * `respond`.
   */
  readonly onError?: OnError | undefined;
}

/** An error response. */
export interface RefusedError {
  /** The HTTP status: 4xx for the request, 500 for a failure of the server. */
  readonly status: number;
  /** The error code, for programs. */
  readonly code: string;
  /** The error message, for people. Contains only information that the client may receive. */
  readonly message: string;
  /** The id of the request, which the header `x-request-id` has as well. */
  readonly requestId: string;
}

/** The context of a request, and defaults for values that an adapter's definition leaves out. */
export interface AdapterOptions<Env = unknown, Ctx = unknown>
  extends BodyOptions,
    Platform<Env, Ctx> {
  /** The user of the request, whom `authenticate` has returned. */
  readonly user?: string | undefined;
  /** Called with errors whose details the client does not receive; `console.error` by default. */
  readonly onError?: OnError<Env, Ctx> | undefined;
  /** Called with what was lost of a request and its answer. See `onLosses` of `respond`. */
  readonly onLosses?: OnLosses<Env, Ctx> | undefined;
  /** See the option `strict` of `createHandler`. */
  readonly strict?: boolean | undefined;
  /** The body of the request, if it was already read. */
  readonly body?: string | undefined;
}

/** A protocol at a path. */
export interface Adapter {
  readonly path: string;
  /** The name of the protocol, if it is one of this package. */
  readonly protocol?: WritableProtocol | undefined;
  /** Whether the adapter needs the option `store` of `createHandler`. */
  readonly needsStore?: boolean | undefined;
  /** See {@link AdapterDefinition.conversation}. */
  readonly conversation?: AdapterDefinition["conversation"];
  /** See {@link AdapterDefinition.convertRequest}. */
  readonly convertRequest?: AdapterDefinition["convertRequest"] | undefined;
  /** Reads the body of a request within the limits of the adapter. */
  readonly readBody?: ((http: Request, options: BodyOptions) => Promise<string>) | undefined;
  /** See {@link AdapterDefinition.detect}. */
  readonly detect?: ((body: string, http: Request) => boolean) | undefined;
  /**
   * Returns whether the adapter handles a path other than `path`, for any HTTP method. By default
   * it handles none.
   */
  readonly handles?: ((pathname: string) => boolean) | undefined;
  /**
   * Answers a request for a WebSocket at `path`. `handler` answers the requests that are its
   * messages. By default the path has no sockets.
   */
  readonly upgrade?:
    | ((http: Request, handler: (request: Request) => Promise<Response>) => Response)
    | undefined;
  /**
   * Returns whether a request needs no user if `authenticate` is set, such as that for a
   * description of the server. By default none.
   */
  readonly isPublic?: ((http: Request) => boolean) | undefined;
  /**
   * See {@link AdapterDefinition.convertError}. Also used for requests that are rejected before
   * this adapter is called.
   */
  readonly convertError?: ((error: RefusedError) => object) | undefined;
  /**
   * Returns the response for a request that is rejected before this adapter is called, if its form
   * depends on the request. By default the JSON of `convertError`.
   */
  readonly refuse?:
    | ((http: Request, error: RefusedError, headers: HeadersLike) => Response)
    | undefined;
  /**
   * Responds to a request with the stream of the agent, or with an error response. Never rejects.
   */
  answer<Env = unknown, Ctx = unknown>(
    http: Request,
    agent: AgentFunction<Env, Ctx>,
    options?: AdapterOptions<Env, Ctx>,
  ): Promise<Response>;
}

/**
 * Creates an adapter that serves a protocol at a path.
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
  const {
    path,
    protocol,
    convertRequest,
    convertResponse,
    convertError,
    detect,
    conversation,
    retrieve,
  } = definition;
  must(
    typeof path === "string" && path.startsWith("/"),
    "wrong-option",
    "`path` begins with a slash",
  );
  must(
    typeof convertRequest === "function",
    "missing-argument",
    "defineAdapter(): `convertRequest` is a function that converts a body to an AgentRequest",
  );
  knownOptions("the definition of an adapter", definition, ADAPTER_OPTIONS);
  mustBeHandler("the definition of an adapter", definition.onError);
  bodyOptions(definition);
  const below = `${path}/`;
  return {
    path,
    protocol: typeof protocol === "string" ? protocol : undefined,
    detect,
    conversation,
    convertRequest,
    readBody: (http, options) => readBody(http, bounds(definition, options)),
    convertError,
    handles: retrieve && ((pathname) => pathname.startsWith(below)),
    async answer(http, agent, callOptions = {}) {
      const context = contextOf(http, callOptions);
      const onError = definition.onError ?? callOptions.onError;
      const { pathname } = new URL(http.url);
      if (retrieve !== undefined && pathname.startsWith(below)) {
        return retrievalResponse(
          http,
          context,
          retrieve,
          pathname.slice(below.length),
          onError,
          convertError,
        );
      }
      const losses = new RunLosses(callOptions.strict);
      const stored = storedAnswer(http);
      let request: AgentRequest;
      let body: string;
      try {
        body = callOptions.body ?? (await readBody(http, bounds(definition, callOptions)));
        const received = await convertRequest(body, http);
        note(received, losses);
        request = inConversation(inSession(received), stored, losses);
      } catch (error) {
        return refusal(error, onError, context, 400, "the request could not be read", convertError);
      }
      try {
        const sessionId = request.session_id;
        const written = definition.options?.(request, http);
        const { id: requestId, env, ctx } = context;
        const responseId = stored?.responseId ?? written?.responseId;
        // The store receives the stream, also if the client receives a whole answer. A turn that a
        // model refuses is not stored.
        const beginning =
          stored === undefined || stored.turn !== undefined ? new Beginning() : undefined;
        const conversation = new Conversation(request, {
          user: context.user,
          native: { protocol: typeof protocol === "string" ? protocol : protocol.name, body },
        });
        for (const value of [request, conversation]) {
          beginning?.register(value);
          losses.register(value);
        }
        const options = {
          sessionId,
          onError,
          onLosses: callOptions.onLosses,
          ...written,
          responseId,
          requestId,
          env,
          ctx,
          protocol,
        };
        const start = { beginning, losses, record: recorderOf(stored) };
        const stream = respondFrom(start, http, options, (out) =>
          agent(out, conversation, context),
        );
        const refused = await beginning?.wait(
          request.stream === false ? Infinity : written?.heartbeatMs || HEARTBEAT,
        );
        if (refused !== undefined) {
          void stream.body?.cancel().catch(() => {});
          const { status, headers, error } = refused;
          return errorResponse(
            { status, ...error, requestId },
            { ...headers, [REQUEST_ID]: requestId },
            convertError,
          );
        }
        const response =
          convertResponse === undefined ? stream : await convertResponse(stream, request, http);
        losses.show(response.headers);
        return response;
      } catch (error) {
        return refusal(
          error,
          onError,
          context,
          500,
          "the request could not be answered",
          convertError,
        );
      }
    },
  };
}

const ADAPTER_OPTIONS: readonly string[] = [
  ...[
    "path",
    "protocol",
    "detect",
    "convertRequest",
    "conversation",
    "convertResponse",
    "convertError",
    "retrieve",
    "options",
    "onError",
  ],
  ...BODY_OPTIONS,
];

/** Returns the response to `GET {path}/{id}`. */
async function retrievalResponse(
  http: Request,
  context: RequestContext,
  retrieve: NonNullable<AdapterDefinition["retrieve"]>,
  id: string,
  onError: OnError | undefined,
  convertError: AdapterDefinition["convertError"],
): Promise<Response> {
  const allow = "GET, OPTIONS";
  const refuse = (status: number, code: string, message: string, headers: HeadersLike = {}) =>
    errorResponse(
      { status, code, message, requestId: context.id },
      { ...headers, [REQUEST_ID]: context.id },
      convertError,
    );
  if (http.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { allow } });
  }
  if (http.method !== "GET") {
    return refuse(405, "method_not_allowed", "use GET to retrieve a response", { allow });
  }
  try {
    return (
      (await retrieve(id, http)) ??
      refuse(404, "not_found", `Response with id '${excerpt(id)}' not found.`)
    );
  } catch (error) {
    return refusal(
      error,
      onError,
      context,
      500,
      "the response could not be retrieved",
      convertError,
    );
  }
}

/**
 * Notes what the request of an agent has lost of that of its client. A strict server refuses it.
 */
export function note(request: AgentRequest, losses: RunLosses): void {
  const lost = lossesOf(request);
  if (lost !== undefined) {
    if (losses.isStrict) {
      mustBeWhole(lost);
    }
    losses.add(lost);
  }
}

/** Adds a new session id to a request without one, so that such callers do not share a session. */
function inSession(request: AgentRequest): AgentRequest {
  const { session_id } = request;
  if (session_id === undefined || session_id === null || session_id === "") {
    return { ...request, session_id: uuid() };
  }
  must(typeof session_id === "string", "bad-request", "`session_id` is a string");
  return request;
}

/** What is lost of a conversation with more messages than an agent receives. */
const HISTORY_LOST: Loss = {
  kind: "history",
  class: "quality",
  location: "",
  reason: "the conversation has more messages than the agent receives: the first ones are left out",
  event: 0,
};

/**
 * Puts the earlier messages of a conversation that is stored before those of a request. Notes
 * whether some are left out.
 */
export function inConversation<R extends AgentRequest>(
  request: R,
  stored: StoredAnswer | undefined,
  losses: RunLosses,
): R {
  const whole =
    stored?.turn === undefined
      ? request
      : { ...request, input: stored.turn.begin(request.input) as R["input"] };
  if (stored?.isCut || stored?.turn?.isCut) {
    losses.add({ losses: [HISTORY_LOST], counts: { history: 1 } });
  }
  return whole;
}

/** Returns the function that receives the answer of a turn that is stored. */
export function recorderOf(
  stored: StoredAnswer | undefined,
): ((answer: object) => void) | undefined {
  const turn = stored?.turn;
  return turn && ((answer) => turn.end(answer));
}

/** Returns the body options of an adapter's definition, with those of the caller as defaults. */
export function bounds(definition: BodyOptions, callOptions: BodyOptions): BodyOptions {
  return {
    maxBodyBytes: definition.maxBodyBytes ?? callOptions.maxBodyBytes,
    bodyTimeoutMs: definition.bodyTimeoutMs ?? callOptions.bodyTimeoutMs,
    contentTypes: definition.contentTypes ?? callOptions.contentTypes,
  };
}

/**
 * Returns the response for an error before the stream: that of a `RequestError`, or a masked error.
 */
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
    // Errors of the body itself come from `readBody`, which does not know the protocol's error
    // format.
    const [problem] = error.problems;
    const own = problem?.path !== "body" || convertError === undefined;
    const { status, message } = error;
    return own
      ? error.toResponse(header)
      : errorResponse(
          { status, code: problem.code, message, requestId: context.id },
          header,
          convertError,
        );
  }
  const pending = errorInfoFor(error, onError, what, context);
  outlive(context.ctx, pending);
  const { code, message } = await pending;
  return errorResponse({ status, code, message, requestId: context.id }, header, convertError);
}

export function errorResponse(
  error: RefusedError,
  headers: HeadersLike,
  convertError: AdapterDefinition["convertError"],
): Response {
  const { status, code, message, requestId } = error;
  return Response.json(convertError?.(error) ?? { detail: message, code, request_id: requestId }, {
    status,
    headers,
  });
}
