// The agent that `connect` returns, and the options of `connect`.

import type { Json } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import type { Answers, Outcome, Protocol, Update } from "../core/outcome.js";
import type { Credentials, HeadersLike } from "../core/platform.js";
import type { OptionsFor } from "../read/options.js";
import type { AgentStream } from "../read/read.js";
import { fits, isTurn } from "../store/fits.js";
import type { ClientTool, PendingCall, RunError, StoreStatus, StoredTurn, TurnRequest } from "../store/state.js";
import type { Dialect } from "./dialect.js";
import type { AgentTools } from "./tool.js";

/** An answer to an approval: yes, no, or one of them with a value of the protocol, for example a reason. */
export type Decision = boolean | { readonly approved: boolean; readonly value?: Json | undefined };

/** The options of one request. Everything is optional. */
export interface SendOptions {
  /** Aborting it stops the run, as `stop` does. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of `resume`. Everything is optional. */
export interface ResumeOptions extends SendOptions {
  /** Results of the calls that are pending beside the approvals. */
  readonly toolResults?: Readonly<Record<string, Json>> | undefined;
}

/** An update of a run, and the number of the request that it belongs to, from 1. */
export type AgentUpdate<P extends Protocol> = Update<P> & { readonly round: number };

/**
 * The answer to one `send`: the updates of one request, and of each further request that returned results of tools. The first
 * request is sent at once. Iterate over the run, once, or call `finished`. Leaving the loop early stops the run.
 */
export interface AgentRun<P extends Protocol> extends AsyncIterable<AgentUpdate<P>>, AsyncDisposable {
  /**
   * Resolves to the outcome of the last request, also when the run was stopped. Rejects with `HttpError`, `ConnectionError` or
   * `TrapError`, as does the loop; a rejection without a handler is not reported. Reads by itself if no loop does.
   */
  finished(): Promise<Outcome<P>>;
  /** Stops the run. The answer so far stays. */
  cancel(reason?: unknown): Promise<Outcome<P>>;
}

/** A conversation as plain data, for JSON (with the package's `stringifyJson` also for `bigint`), IndexedDB or `structuredClone`. */
export interface AgentState<P extends Protocol, I> {
  /** The protocol of the agent; `connect` refuses the state of another one. */
  readonly protocol: P;
  /** The id of the conversation. */
  readonly id: string;
  /** The turns that the next request is made from: all in protocols that repeat them, otherwise the last ones. */
  readonly turns: readonly StoredTurn<P, I>[];
}

/** An agent at an address: a conversation in one protocol. `I` is what `send` takes. */
export interface AgentClient<P extends Protocol, I> extends AsyncDisposable {
  /** The protocol that `connect` was called for. */
  readonly protocol: P;
  /**
   * Sends the input of the user. Calls and approvals that were pending are given up.
   *
   * @throws AgentwireError `busy` while a run is under way
   */
  send(input: I, options?: SendOptions): AgentRun<P>;
  /**
   * Sends the results of pending tool calls, by the ids of the calls.
   *
   * @throws AgentwireError `not-pending` for another id, `answer-missing` if a call or an approval has no answer,
   * `busy` while a run is in progress
   */
  submitToolResults(results: Readonly<Record<string, Json>>, options?: SendOptions): AgentRun<P>;
  /**
   * Answers pending approvals and interrupts, by their ids.
   *
   * @throws AgentwireError as `submitToolResults`
   */
  resume(decisions: Readonly<Record<string, Decision>>, options?: ResumeOptions): AgentRun<P>;
  /**
   * Sends the last request again after it failed or was stopped. An agent never retries automatically, because a
   * request may have had effects.
   *
   * @throws AgentwireError `nothing-to-retry` if the last request has not failed, `busy` while a run is in progress
   */
  retry(options?: SendOptions): AgentRun<P>;
  /**
   * Stops the run and the tools that it executes. The snapshot so far is kept; `send` and `retry` can follow
   * immediately.
   */
  stop(reason?: unknown): void;
  /** The snapshot of the last response, also while it arrives; undefined before the first. */
  readonly snapshot: Answers[P]["answer"] | undefined;
  /** The status of the last request. */
  readonly status: StoreStatus;
  /** The reason why the last request failed. */
  readonly error: RunError | undefined;
  /** The calls and approvals that wait for `submitToolResults` and `resume`. */
  readonly pending: readonly PendingCall[];
  /** The conversation as plain data, for the option `state` of a later `connect`. */
  readonly state: AgentState<P, I>;
  /**
   * Sends the request of a turn that a store keeps; called by `createConversation(agent)`. The state of the agent does
   * not change.
   */
  request(turn: TurnRequest<P, I>): AgentStream<P> | Promise<AgentStream<P>>;
  /** Returns whether a value is a stored turn of this protocol; called by `createConversation(agent)` for those in a storage. */
  fits(turn: unknown): boolean;
  /** The tools that have `execute`, for `createConversation`. */
  readonly tools: Readonly<Record<string, ClientTool>>;
  /** The option `maxToolRounds`; undefined for the default. */
  readonly maxToolRounds: number | undefined;
}

/** The options of `connect` in every protocol. `I` is the input of `send`. All are optional. */
export interface SharedConnectOptions<P extends Protocol, I> {
  /** Headers of each request, for example `authorization`; or a function that returns them, called once per request. */
  readonly headers?: HeadersLike | (() => HeadersLike | PromiseLike<HeadersLike>) | undefined;
  /** Whether cookies are sent to another origin, as for `fetch`. */
  readonly credentials?: Credentials | undefined;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: ((request: Request, init?: RequestInit) => Response | PromiseLike<Response>) | undefined;
  /**
   * Whether redirects within the origin of the address are followed. False by default: a redirect is an error with the code `redirected`.
   * Redirects to other origins are never followed.
   */
  readonly followRedirects?: boolean | undefined;
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

const SHARED = ["headers", "credentials", "fetch", "followRedirects", "id", "state", "read"];

/** The names of {@link ToolOptions}. */
export const TOOL_OPTIONS = ["tools", "maxToolRounds"] as const;

/** Checks the names of the options, and the values whose errors would appear late. */
export function checkOptions<P extends Protocol, I, O>(dialect: Dialect<P, I, O>, options: object): void {
  const { protocol, options: more } = dialect;
  knownOptions("connect()", options, [...SHARED, ...more]);
  const { tools = {}, maxToolRounds = 0, state } = options as ToolOptions & { readonly state?: AgentState<Protocol, unknown> };
  for (const [name, tool] of Object.entries(tools)) {
    must(typeof tool === "object" && tool !== null, "wrong-option", `connect(): the tool \`${name}\` is an object: { description, parameters, execute }`);
    knownOptions(`connect(): the tool \`${name}\``, tool, ["description", "parameters", "execute"]);
  }
  must(Number.isInteger(maxToolRounds) && maxToolRounds >= 0, "wrong-option", "connect(): option `maxToolRounds` is an integer from 0");
  const isState = state === undefined || (state?.protocol === protocol && typeof (state.id ?? "") === "string" && Array.isArray(state.turns));
  must(isState && (state?.turns ?? []).every((turn) => fitsDialect(dialect, turn)), "wrong-option", `connect(): option \`state\` is the \`state\` of an agent of ${protocol}`);
}

/** Returns whether a value is a stored turn of a protocol. */
export function fitsDialect<P extends Protocol, I, O>({ stored: { message, snapshot }, callsOf }: Dialect<P, I, O>, turn: unknown): boolean {
  const isSnapshot = (value: unknown): boolean => {
    try {
      return fits(value, snapshot) && callsOf(value as never) !== undefined;
    } catch {
      // A part that only the views of calls use has another shape.
      return false;
    }
  };
  return isTurn(turn, message, isSnapshot);
}
