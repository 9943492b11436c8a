// The options of `connect`. Types, and their check.

import type { Json } from "../agentwire.js";
import { must } from "../core/errors.js";
import { knownOptions } from "../core/arguments.js";
import type { OptionsFor } from "../read/options.js";
import type { Credentials, HeadersLike } from "../core/platform.js";
import type { Protocol } from "../core/read_options.js";
import type { AgentState } from "./agent.js";
import type { AgentTools } from "./tool.js";

/** The options of `connect` in every protocol. `I` is the input of `send`. All are optional. */
export interface SharedConnectOptions<P extends Protocol, I> {
  /** Headers of each request, for example `authorization`; or a function that returns them, called once per request. */
  readonly headers?: HeadersLike | (() => HeadersLike | PromiseLike<HeadersLike>) | undefined;
  /** Whether cookies are sent to another origin, as for `fetch`. */
  readonly credentials?: Credentials | undefined;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: ((request: Request, init?: RequestInit) => Response | PromiseLike<Response>) | undefined;
  /** The id of the conversation, in the protocols whose client chooses it. A new UUID by default. */
  readonly id?: string | undefined;
  /** The `state` of an earlier agent, which may have been parsed from JSON. The conversation continues from it. */
  readonly state?: AgentState<P, I> | Json | undefined;
  /** The options for reading the streams: `limits`, `mode` and the other options of `read`. */
  readonly read?: OptionsFor<P> | undefined;
}

/** The options of the protocols whose requests list tools of the client. */
export interface ToolOptions {
  /** The tools of the client. They are described to the agent, and executed when it calls them. */
  readonly tools?: AgentTools | undefined;
  /**
   * The number of requests of one `send` that may answer calls of `tools` without the user: 8 by default. Later calls
   * stay pending.
   */
  readonly maxToolRounds?: number | undefined;
}

const SHARED = ["headers", "credentials", "fetch", "id", "state", "read"];

/** The names of {@link ToolOptions}. */
export const TOOL_OPTIONS = ["tools", "maxToolRounds"] as const;

/**
 * Checks the names of the options, and the values whose errors would appear late. `more` are the names of the
 * protocol's own options.
 */
export function checkOptions(protocol: Protocol, options: object, more: readonly string[]): void {
  knownOptions("connect()", options, [...SHARED, ...more]);
  const { tools = {}, maxToolRounds = 0, state } = options as ToolOptions & { readonly state?: AgentState<Protocol, unknown> };
  for (const [name, tool] of Object.entries(tools)) {
    must(typeof tool === "object" && tool !== null, "wrong-option", `connect(): the tool \`${name}\` is an object: { description, parameters, execute }`);
    knownOptions(`connect(): the tool \`${name}\``, tool, ["description", "parameters", "execute"]);
  }
  must(Number.isInteger(maxToolRounds) && maxToolRounds >= 0, "wrong-option", "connect(): option `maxToolRounds` is an integer from 0");
  must(state === undefined || (state?.protocol === protocol && Array.isArray(state.turns)), "wrong-option", `connect(): option \`state\` is the \`state\` of an agent of ${protocol}`);
}
