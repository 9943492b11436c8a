// A handler that serves one agent at the paths of several protocols.

import {
  type Adapter,
  type AdapterOptions,
  type AgentFunction,
  refusal,
  errorResponse,
} from "./adapter.js";
import type { OnError } from "../emit/agent_error.js";
import type { OnLosses } from "../emit/emit.js";
import { mustBeHandler } from "../core/error_handler.js";
import { AgentwireError, isA, must } from "../core/errors.js";
import { RequestError } from "../http/request.js";
import { WRITABLE, type WritableProtocol } from "../generated/contract.js";
import { knownOptions, milliseconds } from "../core/arguments.js";
import { ADAPTERS } from "../generated/registry/adapters.js";
import { BODY_OPTIONS, type BodyOptions, bodyOptions, readBody } from "../http/request_body.js";
import { REQUEST_ID, type RequestContext, contextOf } from "../http/context.js";
import { type CorsOptions, allowsOrigin, withCors } from "./cors.js";
import { type ListedModel, modelLists, mustBeModels } from "./models.js";
import { type HandlerStore, SERVICE, type ServiceHost, type StoreOptions } from "./service.js";

/** The options of `createHandler`. All but the agent are optional. */
export interface HandlerOptions<Env = any, Ctx = any> extends BodyOptions, StoreOptions<Env> {
  /** The agent, which writes the response to each request. */
  readonly agent: AgentFunction<Env, Ctx>;
  /**
   * The protocols to serve, each with its adapter at its default path: all of them if there are no
   * `adapters`.
   */
  readonly protocols?: readonly WritableProtocol[] | undefined;
  /** Adapters with their own options, and adapters of custom protocols. */
  readonly adapters?: readonly Adapter[] | undefined;
  /**
   * Whether pages of other origins can read the responses: `false` by default, all origins with
   * `true`, or the options of {@link withCors}.
   */
  readonly cors?: boolean | CorsOptions | undefined;
  /**
   * The models that the handler lists at `/v1/models` to clients of Responses, Chat Completions and
   * Anthropic Messages: names, or objects. `["agent"]` by default. The agent receives the model that
   * a request names, and may ignore it.
   */
  readonly models?: readonly (string | ListedModel)[] | undefined;
  /**
   * The store of conversations, answers, tasks and runs. With it, clients that send only their new
   * messages have their conversation, and answers outlive their connection. On Cloudflare Workers
   * use `durableHandler` of `agentwire/runs/server` instead.
   */
  readonly store?: HandlerStore | undefined;
  /**
   * What the agent and the other functions receive as `env` where the platform passes nothing, and
   * for stored answers, which the process itself can start again.
   */
  readonly env?: Env | undefined;
  /**
   * Returns the user of a request, or undefined if it has none, for which the response is a 401.
   * The agent receives the user in its context, and what is stored belongs to its user: return the
   * id of an account, not a token. `jwtUsers` of `agentwire/runs/server` is such a function. The
   * agent card and preflight requests need no user. Without this option requests have no users: put
   * your own authentication before the handler.
   */
  readonly authenticate?:
    | ((request: Request, env: Env) => string | undefined | PromiseLike<string | undefined>)
    | undefined;
  /**
   * Whether requests without a user are answered, too: false by default. The ids of what is stored
   * for them are its only credentials. The runs endpoints always need a user.
   */
  readonly isPublic?: boolean | undefined;
  /**
   * Called with each error of the agent, unless the adapter's definition has its own `onError`, and
   * with the errors of the store, whose context has no HTTP request.
   */
  readonly onError?: OnError<Env, Ctx> | undefined;
  /**
   * Called at the end of each run with what was lost, if something was: of the client's request, of
   * the requests to models, and of the answer. Losses that are known before the first byte are also
   * in the header `agentwire-losses` of the response.
   */
  readonly onLosses?: OnLosses<Env, Ctx> | undefined;
  /**
   * Whether a request is refused with status 400 if something of it is lost that can make the
   * answer wrong: losses of the class `contract` on the way to the agent, or in the first request
   * of `callModel` or `runTools` to a model. False by default.
   */
  readonly strict?: boolean | undefined;
}

/** The names of {@link HandlerOptions}. */
const NAMES: readonly string[] = [
  "agent",
  "protocols",
  "adapters",
  "cors",
  "models",
  "store",
  "env",
  "whileRunning",
  "admit",
  "limits",
  "retention",
  "answersPath",
  "authenticate",
  "isPublic",
  "onError",
  "onLosses",
  "strict",
  ...BODY_OPTIONS,
];

/**
 * Creates a handler that serves one agent in several protocols: it answers POST requests at their
 * paths, `HEAD /`, and everything else with 404 or 405.
 *
 * The agent also receives the values of the platform: `env` and `ctx` of a Cloudflare worker.
 *
 * ```js
 * export default { fetch: createHandler({ protocols: ["ag-ui", "responses"], agent, cors: true, maxBodyBytes: 1 << 20 }) };
 * ```
 *
 * @throws AgentwireError `wrong-argument`, `wrong-option` or `unknown-protocol`
 */
export function createHandler<Env = any, Ctx = any>(
  options: HandlerOptions<Env, Ctx> & { readonly store: HandlerStore },
): StoringHandler<Env, Ctx>;
export function createHandler<Env = any, Ctx = any>(
  options: HandlerOptions<Env, Ctx>,
): Handler<Env, Ctx>;
export function createHandler<Env = any, Ctx = any>(
  options: HandlerOptions<Env, Ctx>,
): Handler<Env, Ctx> {
  const host = hostOf("createHandler()", options);
  const { agent, adapters: served, authenticate, onError, onLosses, strict } = host;
  const { cors = false, models = ["agent"], store, isPublic = false } = options;
  const service = store?.[SERVICE](host);
  const paths = [...new Set(served.map(({ path }) => path))];
  const adapters = [...(service?.adapters ?? served), ...modelLists(models, served)];
  /** Answers a request to one or several adapters at a path. */
  const answerAt = async (
    here: readonly Adapter[],
    http: Request,
    adapterOptions: AdapterOptions<Env, Ctx>,
    context: RequestContext<Env, Ctx>,
  ): Promise<Response> => {
    const [only] = here;
    if (here.length === 1) {
      return only!.answer(http, agent, adapterOptions);
    }
    try {
      const body = await readBody(http, adapterOptions);
      return await meantBy(body, http, here).answer(http, agent, { ...adapterOptions, body });
    } catch (error) {
      return refusal(
        error,
        onError,
        context,
        400,
        "the request could not be read",
        only!.convertError,
      );
    }
  };
  const answer = async (http: Request, given?: Env, ctx?: Ctx): Promise<Response> => {
    const env = given ?? host.env;
    const { pathname } = new URL(http.url);
    const { maxBodyBytes, bodyTimeoutMs, contentTypes } = options;
    const context = contextOf(http, { env, ctx });
    const adapterOptions: AdapterOptions<Env, Ctx> = {
      maxBodyBytes,
      bodyTimeoutMs,
      contentTypes,
      onError,
      onLosses,
      strict,
      env,
      ctx,
      requestId: context.id,
    };
    const other = adapters.find(({ handles }) => handles?.(pathname));
    const here = other === undefined ? adapters.filter(({ path }) => path === pathname) : [other];
    // If several adapters share a path, errors have the format of the first one.
    const [first] = here;
    if (first === undefined) {
      // Clients of Anthropic Messages ask so whether the server is there.
      if (http.method === "HEAD" && pathname === "/") {
        return new Response(null, { status: 200 });
      }
      return Response.json(
        { detail: `there is nothing here; protocols are at ${paths.join(", ")}` },
        { status: 404 },
      );
    }
    const refuse = (
      status: number,
      code: string,
      message: string,
      headers: Record<string, string>,
    ): Response => {
      const error = { status, code, message, requestId: context.id };
      const all = { ...headers, [REQUEST_ID]: context.id };
      return first.refuse?.(http, error, all) ?? errorResponse(error, all, first.convertError);
    };
    if (other === undefined && http.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow: METHODS } });
    }
    const upgrade = asksForSocket(http)
      ? served.find(({ path }) => path === pathname)?.upgrade
      : undefined;
    if (other === undefined && http.method !== "POST" && upgrade === undefined) {
      return refuse(405, "method_not_allowed", "this path takes POST", { allow: METHODS });
    }
    let user: string | undefined;
    if (
      authenticate !== undefined &&
      http.method !== "OPTIONS" &&
      first.isPublic?.(http) !== true
    ) {
      try {
        user = (await authenticate(http, env)) || undefined;
        must(
          user === undefined || typeof user === "string",
          "wrong-option",
          "the option `authenticate` returns the user as a string, or undefined",
        );
      } catch (error) {
        if (isA(error, RequestError) && first.refuse !== undefined) {
          return refuse(error.status, error.problems[0]?.code ?? "", error.message, {});
        }
        return refusal(
          error,
          onError,
          context,
          500,
          "the user could not be identified",
          first.convertError,
        );
      }
      if (user === undefined && !isPublic) {
        return refuse(401, "unauthorized", "the request has no user", {
          "www-authenticate": "Bearer",
        });
      }
    }
    if (upgrade !== undefined) {
      // A page sends its cookies to any origin, and reads what it receives.
      return isOfPage(http, host.origin)
        ? upgrade(http, (request) => answer(request, given, ctx))
        : refuse(403, "forbidden", "pages of this origin have no sockets", {});
    }
    return answerAt(here, http, { ...adapterOptions, user }, context);
  };
  const handler: Handler<Env, Ctx> =
    cors === false
      ? answer
      : withCors(answer, {
          methods: adapters.some(({ handles }) => handles) ? ["GET", "POST"] : ["POST"],
          ...service?.cors,
          ...(cors === true ? {} : cors),
        });
  return service === undefined
    ? handler
    : Object.assign((http: Request, env?: Env, ctx?: Ctx) => handler(http, env, ctx), {
        close: ({ waitMs = 0 }: { readonly waitMs?: number | undefined } = {}) =>
          service.close(milliseconds("waitMs", waitMs)),
      });
}

/** Whether a request asks for a WebSocket. */
function asksForSocket({ method, headers }: Request): boolean {
  return method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** Whether a request is of no page, of a page of the same origin, or of an allowed one. */
function isOfPage({ url, headers }: Request, allowed: CorsOptions["origin"] = "*"): boolean {
  const from = headers.get("origin");
  return from === null || from === new URL(url).origin || allowsOrigin(allowed, from);
}

/** Answers a request. `env` and `ctx` are the further arguments of the platform's handler. */
export type Handler<Env = any, Ctx = any> = (
  http: Request,
  env?: Env,
  ctx?: Ctx,
) => Promise<Response>;

/** A handler with a store. */
export interface StoringHandler<Env = any, Ctx = any> extends Handler<Env, Ctx> {
  /**
   * Stops the work of this process. The handler accepts no more requests whose answers are stored,
   * and waits `waitMs` milliseconds (0 by default) for the answers in progress. Another process with
   * the same store, or the next one, ends the others.
   */
  close(options?: { readonly waitMs?: number | undefined }): Promise<void>;
}

/** Checks the options of a handler; `called` is the function for errors. */
export function hostOf<Env, Ctx>(
  called: string,
  options: HandlerOptions<Env, Ctx>,
): ServiceHost<Env, Ctx> {
  const {
    agent,
    cors = false,
    models,
    store,
    authenticate,
    ...more
  } = Object(options) as HandlerOptions<Env, Ctx>;
  const { onError, onLosses, strict = false } = more;
  must(
    typeof agent === "function",
    "wrong-argument",
    `${called} takes an object with \`agent\`, a function`,
  );
  knownOptions(called, options, NAMES);
  mustBeHandler(called, onError);
  mustBeHandler(called, onLosses, "onLosses");
  must(
    typeof strict === "boolean",
    "wrong-option",
    `${called}: option \`strict\` is true or false`,
  );
  must(
    authenticate === undefined || typeof authenticate === "function",
    "wrong-option",
    `${called}: option \`authenticate\` is a function`,
  );
  must(
    store === undefined || typeof Object(store)[SERVICE] === "function",
    "wrong-option",
    `${called}: option \`store\` is a store, such as \`memoryStore()\` or \`sqliteStore(path)\` of agentwire/stores, or your own in \`handlerStore(store)\``,
  );
  if (models !== undefined) {
    mustBeModels(models);
  }
  const adapters = adaptersOf(options);
  bodyOptions(options);
  const [unstored] = store === undefined ? adapters.filter(({ needsStore }) => needsStore) : [];
  must(
    unstored === undefined,
    "wrong-option",
    `${called}: the adapter at ${unstored?.path} needs the option \`store\``,
  );
  const { env, whileRunning, admit, limits, retention, answersPath } = more;
  const { maxBodyBytes, bodyTimeoutMs, contentTypes } = more;
  const origin = cors === false ? [] : cors === true ? "*" : cors.origin;
  return {
    ...{ agent, adapters, authenticate, onError, onLosses, strict, origin },
    ...{ whileRunning, admit, limits, retention, answersPath },
    ...{ maxBodyBytes, bodyTimeoutMs, contentTypes },
    env: env as Env,
  };
}

/** Returns the adapter that a body is meant for, of those at a path. */
export function meantBy(body: string, http: Request, here: readonly Adapter[]): Adapter {
  return (
    here.find(({ detect }) => detect?.(body, http)) ??
    here.find(({ detect }) => detect === undefined) ??
    here[0]!
  );
}

const METHODS = "POST, OPTIONS";

/** Returns the given adapters, and those of the given protocols. */
function adaptersOf({ adapters: adapterList, protocols }: HandlerOptions): readonly Adapter[] {
  for (const [name, list] of Object.entries({ adapters: adapterList, protocols })) {
    must(
      list === undefined || Array.isArray(list),
      "wrong-argument",
      `createHandler(): \`${name}\` is a list`,
    );
  }
  adapterList?.forEach((adapter: unknown, at) => {
    if (typeof adapter === "function" || typeof Object(adapter).answer !== "function") {
      const name = typeof adapter === "function" && adapter.name ? adapter.name : "an adapter";
      const remedy =
        typeof adapter === "function"
          ? `call it: \`${name}()\``
          : "call `agentApiAdapter()` or `defineAdapter()`";
      throw new AgentwireError(
        "wrong-argument",
        `createHandler(): \`adapters.${at}\` is not an adapter: ${remedy}`,
      );
    }
  });
  const unknown = protocols?.find((protocol) => !WRITABLE.includes(protocol));
  must(
    unknown === undefined,
    "unknown-protocol",
    `createHandler(): \`protocols\` has ${unknown}: the protocols are ${WRITABLE.join(", ")}`,
  );
  const named = protocols ?? (adapterList === undefined ? WRITABLE : []);
  const adapters = [...(adapterList ?? []), ...named.map((protocol) => ADAPTERS[protocol]())];
  must(
    adapters.length > 0,
    "wrong-argument",
    "createHandler() takes at least one adapter or protocol",
  );
  return adapters;
}
