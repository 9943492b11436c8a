// The service's side of the runs endpoints: requests, refusals, and the log whose entries the caller keeps.

import type { Json, RawRunWriter, RawSubscription, RunCancelQuery, RunEventsQuery, RunHistoryQuery, RunInput } from "../agentwire.js";
import { check } from "../arguments.js";
import { jsonOf } from "../emit/options.js";
import { type RequestError, accepted, refusalFromJson } from "../request.js";
import { toolkit } from "../wasm.js";

/**
 * Reads the body of `POST /runs`. Throws a `RequestError` whose `toResponse()` answers with problem details: code
 * `AGENT_RUN_MESSAGES_INVALID` if only the messages are wrong, else `AGENT_RUN_INPUT_INVALID`, and all problems.
 */
export function parseRunInput(body: string): RunInput {
  check("parseRunInput", { body: "string" }, [body]);
  return accepted(toolkit().call("parseRunInput", body))[0] as RunInput;
}

/**
 * A request to start a run, as the body to send. Throws a `RequestError` for what the service would refuse, with all
 * problems.
 */
export function serializeRunInput(input: RunInput): string {
  check("serializeRunInput", { input: "object" }, [input]);
  return accepted(toolkit().call("writeRunInput", jsonOf(input as unknown as Json)))[0] as string;
}

/** Reads the query of `GET /runs/{thread}/events`. Throws a `RequestError`. */
export function parseRunEventsQuery(query: URLSearchParams): RunEventsQuery {
  return accepted(toolkit().call("parseRunEventsQuery", texts(query)))[0] as RunEventsQuery;
}

/** Reads the query of `POST /runs/{thread}/cancel`. Throws a `RequestError`. */
export function parseRunCancelQuery(query: URLSearchParams): RunCancelQuery {
  return accepted(toolkit().call("parseRunCancelQuery", texts(query)))[0] as RunCancelQuery;
}

/** Reads the query of `GET /history`. Throws a `RequestError`. */
export function parseRunHistoryQuery(query: URLSearchParams): RunHistoryQuery {
  return accepted(toolkit().call("parseRunHistoryQuery", texts(query)))[0] as RunHistoryQuery;
}

/** A refusal with one of the endpoints' codes, which its status follows from. An unknown code is an internal error. */
export function runsRefusal(code: string, detail: string): RequestError {
  check("runsRefusal", { code: "string", detail: "string" }, [code, detail]);
  return refusalFromJson(toolkit().call("runsRefusal", code, detail));
}

/** The terminal event, as JSON, of a run that cannot go on; legal whatever is open. */
export function runErrorEvent(code: string, message: string): string {
  check("runErrorEvent", { code: "string", message: "string" }, [code, message]);
  return toolkit().call("runErrorEvent", code, message);
}

/** The number in a cursor of a log; undefined for what is no cursor, or is one of another log. */
export function cursorNumber(cursor: string, generation: string): number | undefined {
  check("cursorNumber", { cursor: "string", generation: "string" }, [cursor, generation]);
  const number = toolkit().call("cursorNumber", cursor, generation);
  return number < 0 ? undefined : number;
}

/** One event of a thread's log. */
export interface RunLogEntry {
  /** Its place in the log: larger than those of all entries before it, 1 or more. */
  readonly number: number;
  readonly runId: string;
  /** The event's `type`. */
  readonly kind: string;
  /** The event, as JSON. */
  readonly data: string;
}

/** The writing end of one run: tells what may be stored next. */
export class RunWriter {
  readonly #core = toolkit();
  readonly #raw: RawRunWriter;

  /** @param hasBegun whether the beginning of the run is in the log already */
  constructor(runId: string, hasBegun = false) {
    check("new RunWriter", { runId: "string" }, [runId]);
    this.#raw = this.#core.run(() => new this.#core.bindings.RawRunWriter(runId, hasBegun));
  }

  /** Takes an event that is about to be stored, and gives its type. Throws an `AgentwireError` for what may not come now. */
  append(event: string): string {
    check("append", { event: "string" }, [event]);
    return this.#core.run(() => this.#raw.append(event));
  }

  /** Whether the terminal event was taken. */
  get isOver(): boolean {
    return this.#core.run(() => this.#raw.isOver());
  }

  /** Gives the core's memory back. */
  free(): void {
    this.#core.free(this.#raw);
  }
}

/**
 * The reading end of one connection: the events of one run strictly after a place of the log, as bytes to send. Pieces of a text
 * that are read together are sent as one event.
 */
export class RunSubscription {
  readonly #core = toolkit();
  readonly #raw: RawSubscription;

  constructor(options: { readonly runId: string; readonly generation: string; readonly after: number; readonly idleLimit: number }) {
    const { runId, generation, after, idleLimit } = options;
    check("new RunSubscription", { runId: "string", generation: "string" }, [runId, generation]);
    this.#raw = this.#core.run(() => new this.#core.bindings.RawSubscription(runId, generation, after, idleLimit));
  }

  /** Takes the next entry of the log. */
  read({ number, runId, kind, data }: RunLogEntry): void {
    this.#core.run(() => this.#raw.read(number, runId, kind, data));
  }

  /** There was nothing to send for so long that a comment is due. */
  idle(): void {
    this.#core.run(() => this.#raw.idle());
  }

  /** What is to be sent now. */
  flush(): string {
    return this.#core.run(() => this.#raw.flush());
  }

  /** The number of the last entry that it has taken: the log is read on from there. */
  get after(): number {
    return this.#core.run(() => this.#raw.after());
  }

  /** Why the connection is to be closed, if it is: the run has ended, or there was nothing to send for too long. */
  get end(): "terminal" | "idle" | undefined {
    return ([undefined, "terminal", "idle"] as const)[this.#core.run(() => this.#raw.end())];
  }

  /** Gives the core's memory back. */
  free(): void {
    this.#core.free(this.#raw);
  }
}

/** Of a parameter that is there twice, the last counts. */
function texts(query: URLSearchParams): string {
  return JSON.stringify(Object.fromEntries(query));
}
