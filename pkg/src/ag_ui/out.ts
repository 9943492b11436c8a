// What an agent that is written in AG-UI writes to. Types only.

import type { AgUiInterrupt, Json, RunAgentInput } from "../agentwire.js";
import type { RespondOptions } from "../emit/emit.js";
import type { Out } from "../emit/out.js";
import type { JsonObject } from "../emit/options.js";
import type { AgUiEvent } from "./events.js";
import type { AgUiTokenUsage } from "./stream_builder.js";

/** How an AG-UI run is written. Everything is optional. */
export interface AgUiRespondOptions extends RespondOptions {
  readonly protocol: "ag-ui";
  /** The request that is answered: its thread, its run, and the state that the client has. Otherwise `sessionId` is the thread. */
  readonly input?: RunAgentInput | undefined;
  /** Whether text and tool calls are written as chunks, which begin and end by themselves. False by default. */
  readonly chunks?: boolean | undefined;
}

/** What can be written in any lane: by the agent itself, and by its subagents. */
export interface AgUiLane {
  /** A piece of what is said. The message goes on until something else is said. */
  text(piece: string | null | undefined): Promise<void>;
  /**
   * A tool call that is whole; with a `result` one that the agent has run itself, otherwise the client's to run.
   *
   * @returns the call's id
   */
  toolCall(name: string, args: Json, options?: AgUiNewCall): Promise<string>;
  /** The shared state is this now: sends what has changed. */
  state(next: Json): Promise<void>;
  /** An activity is this now: sends what has changed. */
  activity(id: string, type: string, content: JsonObject): Promise<void>;
  /** A step, which is over when the work is. */
  step<T>(name: string, work: () => T | PromiseLike<T>): Promise<T>;
  /** Whatever the application makes of it. */
  custom(name: string, value: Json): Promise<void>;
  /** A subagent, which is over when the work is; what the work throws is its error. It writes in a lane of its own. */
  subagent<T>(name: string, work: (lane: AgUiLane) => T | PromiseLike<T>, options?: AgUiNewSubagent): Promise<T>;
}

/** More about a tool call. */
export interface AgUiNewCall {
  /** Its id, where the model has given it one. */
  readonly id?: string | undefined;
  /** What it came to, where the agent has run it. What is not a text becomes JSON. */
  readonly result?: Json | undefined;
}

/** More about a subagent. */
export interface AgUiNewSubagent {
  readonly id?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Writes the answer of one run in AG-UI: what any agent can write, and what only AG-UI has.
 *
 * ```js
 * return respond(request, { protocol: "ag-ui", input }, async (out) => {
 *   await out.state({ city: "Oslo", days: 3 });
 *   for await (const token of model(out.signal)) await out.text(token);
 * });
 * ```
 */
export interface AgUiOut extends Omit<Out, "response" | "usage">, AgUiLane {
  /** Any event but chunks. */
  event(event: AgUiEvent): Promise<void>;
  /** Ends the run: the agent asks, and waits until the next request answers all of it. */
  interrupt(...interrupts: AgUiInterrupt[]): Promise<void>;
  /** What the run comes to; stands in its last event. */
  result(value: Json): void;
  /** Tokens used by the run, with each provider and model; stands in its last event. */
  usage(usage: readonly AgUiTokenUsage[] | JsonObject): void;
}
