// The server side of the runs endpoints: requests, errors, and the log, whose entries the caller
// stores.

import type {
  Json,
  RawRunWriter,
  RawSubscription,
  RunCancelQuery,
  RunEventsQuery,
  RunHistoryQuery,
  RunInput,
} from "../agentwire.js";
import { check } from "../core/arguments.js";
import { jsonOf } from "../core/json.js";
import { type RequestError, accepted, refusalFromJson } from "../http/request.js";
import { toolkit } from "../core/wasm.js";

/**
 * Parses the body of `POST /runs`.
 *
 * @throws RequestError if the body is not valid. Its `toResponse()` returns problem details with
 * all problems and the code
 *   `AGENT_RUN_MESSAGES_INVALID` if only the messages are invalid, otherwise `AGENT_RUN_INPUT_INVALID`
 */
export function parseRunInput(body: string): RunInput {
  check("parseRunInput", { body: "string" }, [body]);
  return accepted(toolkit().call("parseRunInput", body))[0] as RunInput;
}

/**
 * Returns the body of a request that starts a run.
 *
 * @throws RequestError with all problems, if the service would reject the request
 */
export function serializeRunInput(input: RunInput): string {
  check("serializeRunInput", { input: "object" }, [input]);
  return accepted(toolkit().call("writeRunInput", jsonOf(input as unknown as Json)))[0] as string;
}

/** Parses the query of `GET /runs/{thread}/events`. Throws a `RequestError` if it is not valid. */
export function parseRunEventsQuery(query: URLSearchParams): RunEventsQuery {
  return accepted(toolkit().call("parseRunEventsQuery", texts(query)))[0] as RunEventsQuery;
}

/** Parses the query of `POST /runs/{thread}/cancel`. Throws a `RequestError` if it is not valid. */
export function parseRunCancelQuery(query: URLSearchParams): RunCancelQuery {
  return accepted(toolkit().call("parseRunCancelQuery", texts(query)))[0] as RunCancelQuery;
}

/** Parses the query of `GET /history`. Throws a `RequestError` if it is not valid. */
export function parseRunHistoryQuery(query: URLSearchParams): RunHistoryQuery {
  return accepted(toolkit().call("parseRunHistoryQuery", texts(query)))[0] as RunHistoryQuery;
}

/**
 * Returns an error with one of the endpoints' codes. The code determines the status; an unknown
 * code is an internal error.
 */
export function runsRefusal(code: string, detail: string): RequestError {
  check("runsRefusal", { code: "string", detail: "string" }, [code, detail]);
  return refusalFromJson(toolkit().call("runsRefusal", code, detail));
}

/**
 * Returns the terminal event, as JSON, of a run that cannot continue. The event is valid even if
 * messages or calls are open.
 */
export function runErrorEvent(code: string, message: string): string {
  check("runErrorEvent", { code: "string", message: "string" }, [code, message]);
  return toolkit().call("runErrorEvent", code, message);
}

/**
 * Returns the number in a cursor of a log; undefined if the text is not a cursor, or is a cursor of
 * another log.
 */
export function cursorNumber(cursor: string, generation: string): number | undefined {
  check("cursorNumber", { cursor: "string", generation: "string" }, [cursor, generation]);
  const number = toolkit().call("cursorNumber", cursor, generation);
  return number < 0 ? undefined : number;
}

/** An entry of a thread's log. */
export interface RunLogEntry {
  /** The entry's number in the log: at least 1, and larger than those of all earlier entries. */
  readonly number: number;
  readonly runId: string;
  /** The event's `type`. */
  readonly kind: string;
  /** The event as JSON. */
  readonly data: string;
}

/** Validates the events of one run before they are stored. */
export class RunWriter {
  readonly #core = toolkit();
  readonly #raw: RawRunWriter;

  /** @param hasBegun whether the log already contains the start of the run */
  constructor(runId: string, hasBegun = false) {
    check("new RunWriter", { runId: "string" }, [runId]);
    this.#raw = this.#core.run(() => new this.#core.bindings.RawRunWriter(runId, hasBegun));
  }

  /**
   * Accepts an event that is about to be stored, and returns its type. Throws an `AgentwireError`
   * if the event is not valid at this point.
   */
  append(event: string): string {
    check("append", { event: "string" }, [event]);
    return this.#core.run(() => this.#raw.append(event));
  }

  /** Whether the terminal event was accepted. */
  get isOver(): boolean {
    return this.#core.run(() => this.#raw.isOver());
  }

  /** Frees the memory of the core. */
  free(): void {
    this.#core.free(this.#raw);
  }
}

/**
 * Creates the output of one connection: the events of one run after a position in the log. Deltas
 * of a text that are read together are sent as one event.
 */
export class RunSubscription {
  readonly #core = toolkit();
  readonly #raw: RawSubscription;

  constructor(options: {
    readonly runId: string;
    readonly generation: string;
    readonly after: number;
    readonly idleLimit: number;
  }) {
    const { runId, generation, after, idleLimit } = options;
    check("new RunSubscription", { runId: "string", generation: "string" }, [runId, generation]);
    this.#raw = this.#core.run(
      () => new this.#core.bindings.RawSubscription(runId, generation, after, idleLimit),
    );
  }

  /** Adds the next entry of the log. */
  read({ number, runId, kind, data }: RunLogEntry): void {
    this.#core.run(() => this.#raw.read(number, runId, kind, data));
  }

  /** Adds a keep-alive comment. Call it after a time without entries. */
  idle(): void {
    this.#core.run(() => this.#raw.idle());
  }

  /** Returns the text to send now. */
  flush(): string {
    return this.#core.run(() => this.#raw.flush());
  }

  /** The number of the last entry added. Continue to read the log after it. */
  get after(): number {
    return this.#core.run(() => this.#raw.after());
  }

  /**
   * The reason to close the connection: the run has ended, or nothing was sent for too long.
   * Undefined while it stays open.
   */
  get end(): "terminal" | "idle" | undefined {
    return ([undefined, "terminal", "idle"] as const)[this.#core.run(() => this.#raw.end())];
  }

  /** Frees the memory of the core. */
  free(): void {
    this.#core.free(this.#raw);
  }
}

/** Returns the parameters as text. The last of repeated parameters counts. */
function texts(query: URLSearchParams): string {
  return JSON.stringify(Object.fromEntries(query));
}
