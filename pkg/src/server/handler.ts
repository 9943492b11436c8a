// A handler that serves one agent at the paths of several protocols.

import { type Adapter, type AdapterOptions, type AgentFunction, refusal, errorResponse } from "./adapter.js";
import type { OnError } from "../emit/agent_error.js";
import { mustBeHandler } from "../core/error_handler.js";
import { AgentwireError, must } from "../core/errors.js";
import { WRITABLE, type WritableProtocol } from "../generated/contract.js";
import { knownOptions } from "../core/arguments.js";
import { ADAPTERS } from "../generated/registry/adapters.js";
import { BODY_OPTIONS, type BodyOptions, bodyOptions, readBody } from "../http/request_body.js";
import { REQUEST_ID, contextOf } from "../http/context.js";
import { type CorsOptions, withCors } from "./cors.js";

/** The options of `createHandler`. All but the agent are optional. */
export interface HandlerOptions<Env = any, Ctx = any> extends BodyOptions {
  /** The agent, which writes the response to each request. */
  readonly agent: AgentFunction<Env, Ctx>;
  /** The protocols to serve, each with its adapter at its default path: all of them if there are no `adapters`. */
  readonly protocols?: readonly WritableProtocol[] | undefined;
  /** Adapters with their own options, and adapters of custom protocols. */
  readonly adapters?: readonly Adapter[] | undefined;
  /**
   * Whether pages of other origins can read the responses: `false` by default, all origins with `true`, or the options
   * of {@link withCors}.
   */
  readonly cors?: boolean | CorsOptions | undefined;
  /** Called with each error of the agent, unless the adapter's definition has its own `onError`. */
  readonly onError?: OnError<Env, Ctx> | undefined;
}

/** The names of {@link HandlerOptions}. */
const NAMES: readonly string[] = ["agent", "protocols", "adapters", "cors", "onError", ...BODY_OPTIONS];

/**
 * Creates a handler that serves one agent in several protocols: it answers POST requests at their paths, and everything else with 404
 * or 405.
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
  options: HandlerOptions<Env, Ctx>,
): (http: Request, env?: Env, ctx?: Ctx) => Promise<Response> {
  const { agent, cors = false, onError } = Object(options) as HandlerOptions<Env, Ctx>;
  must(typeof agent === "function", "wrong-argument", "createHandler() takes an object with `agent`, a function");
  knownOptions("createHandler()", options, NAMES);
  mustBeHandler("createHandler()", onError);
  const adapters = adaptersOf(options);
  bodyOptions(options);
  const paths = [...new Set(adapters.map(({ path }) => path))];
  const answer = async (http: Request, env?: Env, ctx?: Ctx): Promise<Response> => {
    const { pathname } = new URL(http.url);
    const { maxBodyBytes, bodyTimeoutMs, contentTypes } = options;
    const given: AdapterOptions<Env, Ctx> = { maxBodyBytes, bodyTimeoutMs, contentTypes, onError, env, ctx };
    const other = adapters.find(({ handles }) => handles?.(pathname));
    if (other !== undefined) {
      return other.answer(http, agent, given);
    }
    const here = adapters.filter(({ path }) => path === pathname);
    const [only] = here;
    if (only === undefined) {
      return Response.json({ detail: `there is nothing here; protocols are at ${paths.join(", ")}` }, { status: 404 });
    }
    if (http.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow: METHODS } });
    }
    if (here.length === 1 && http.method === "POST") {
      return only.answer(http, agent, given);
    }
    const context = contextOf(http, given);
    // If several adapters share a path, errors have the format of the first one.
    const { convertError } = only;
    if (http.method !== "POST") {
      const error = { status: 405, code: "method_not_allowed", message: "this path takes POST", requestId: context.id };
      return errorResponse(error, { allow: METHODS, [REQUEST_ID]: context.id }, convertError);
    }
    try {
      const body = await readBody(http, given);
      const meant = here.find(({ detect }) => detect?.(body, http)) ?? here.find(({ detect }) => detect === undefined) ?? only;
      return await meant.answer(http, agent, { ...given, requestId: context.id, body });
    } catch (error) {
      return refusal(error, onError, context, 400, "the request could not be read", convertError);
    }
  };
  return cors === false ? answer : withCors(answer, { methods: adapters.some(({ handles }) => handles) ? ["GET", "POST"] : ["POST"], ...(cors === true ? {} : cors) });
}

const METHODS = "POST, OPTIONS";

/** Returns the given adapters, and those of the given protocols. */
function adaptersOf({ adapters: given, protocols }: HandlerOptions): readonly Adapter[] {
  for (const [name, list] of Object.entries({ adapters: given, protocols })) {
    must(list === undefined || Array.isArray(list), "wrong-argument", `createHandler(): \`${name}\` is a list`);
  }
  given?.forEach((adapter: unknown, at) => {
    if (typeof adapter === "function" || typeof Object(adapter).answer !== "function") {
      const name = typeof adapter === "function" && adapter.name ? adapter.name : "an adapter";
      const remedy = typeof adapter === "function" ? `call it: \`${name}()\`` : "call `agentApiAdapter()` or `defineAdapter()`";
      throw new AgentwireError("wrong-argument", `createHandler(): \`adapters.${at}\` is not an adapter: ${remedy}`);
    }
  });
  const unknown = protocols?.find((protocol) => !WRITABLE.includes(protocol));
  must(unknown === undefined, "unknown-protocol", `createHandler(): \`protocols\` has ${unknown}: the protocols are ${WRITABLE.join(", ")}`);
  const named = protocols ?? (given === undefined ? WRITABLE : []);
  const adapters = [...(given ?? []), ...named.map((protocol) => ADAPTERS[protocol]())];
  must(adapters.length > 0, "wrong-argument", "createHandler() takes at least one adapter or protocol");
  return adapters;
}
