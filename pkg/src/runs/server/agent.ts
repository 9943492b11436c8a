// The agent of a service, and its events.

import type { Json, RunInput, RunInputMessage } from "../../agentwire.js";
import { AG_UI } from "../../ag_ui/protocol.js";
import type { Event } from "../../generated/ag_ui/reading.js";
import { AgentwireError, must } from "../../core/errors.js";
import { stringifyJson } from "../../core/json.js";
import { eventsOf } from "../../read/events.js";
import type { Awaitable } from "../../stores/log_store.js";

/** The context of a run. */
export interface RunContext<Env = unknown> {
  /**
   * The messages as a model receives them: the instructions of the request, and then the messages
   * of the thread, which end with those of the request. Addresses of attachments are valid for an
   * hour.
   */
  readonly history: readonly RunInputMessage[];
  /** The user. */
  readonly user: string;
  /** The environment of the service: the option `env`, or on Workers the bindings. */
  readonly env: Env;
  /** Aborts when the run must stop. */
  readonly signal: AbortSignal;
}

/**
 * The events of a run, from RUN_STARTED to the terminal event: AG-UI events or their JSON, or an
 * AG-UI stream, for example that of `respond(request, { protocol: "ag-ui" }, agent)`. A run whose
 * agent ends without a terminal event, or throws, ends with RUN_ERROR.
 */
export type RunEventSource = AsyncIterable<Event | string> | Response | ReadableStream<Uint8Array>;

/** An agent: receives a request, and returns the events of its run. */
export type RunAgent<Env = unknown> = (
  input: RunInput,
  context: RunContext<Env>,
) => Awaitable<RunEventSource>;

/** Yields the events of an agent as JSON. */
export async function* eventsOfAgent(
  source: Awaitable<RunEventSource>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const result = await source;
  if (isStream(result)) {
    for await (const entry of eventsOf<"ag-ui">([AG_UI], result, { protocol: "ag-ui", signal })) {
      if (entry.kind === "event") {
        yield stringifyJson(entry.event as unknown as Json);
      } else if (entry.kind === "malformed") {
        throw new AgentwireError(
          "wrong-argument",
          `the agent has sent an event that is not AG-UI: ${entry.fault.expected} at \`${entry.fault.path}\``,
        );
      }
    }
    return;
  }
  const isIterable =
    typeof result === "object" &&
    result !== null &&
    (Symbol.asyncIterator in result || Symbol.iterator in result);
  must(
    isIterable,
    "wrong-argument",
    "the agent of a runs service returns the events of its run: the response of `respond(…)`, a stream, or an async iterable of AG-UI events",
  );
  for await (const event of result) {
    yield typeof event === "string" ? event : stringifyJson(event as unknown as Json);
  }
}

function isStream(source: RunEventSource): source is Response | ReadableStream<Uint8Array> {
  return source instanceof Response || source instanceof ReadableStream;
}
