// Writing single events of any protocol.

import type { Core } from "./core/core.js";
import type * as Toolkit from "./agentwire.js";
import type { ErrorCode } from "./core/error_codes.js";
import { AgentwireError, must } from "./core/errors.js";
import type { Violation } from "./core/findings.js";
import { Handle } from "./core/handle.js";
import { jsonOf } from "./core/json.js";
import type { OptionsFor, Protocol } from "./core/outcome.js";
import { seed } from "./core/random.js";
import { toolkit } from "./core/wasm.js";
import { ALL } from "./generated/registry/protocols.js";
import type { Events } from "./generated/registry/types.js";
import { forCore, protocolOf } from "./read/options.js";

/**
 * The options of an `EventWriter`: those of the protocol, `limits`, and the framing. With `ndjson`
 * each event is a line of JSON. The default, `sse`, are server-sent events, with the names that the
 * events of the protocol have.
 */
export type EventWriterOptions<P extends Protocol> = Omit<
  OptionsFor<P>,
  "mode" | "ending" | "framing" | "bigint"
> & { readonly framing?: "sse" | "ndjson" | undefined };

/**
 * Thrown for an event, or for the end of a stream, that violates a rule of the protocol; code
 * `event-refused`. Nothing was written, and the writer is as it was before: it can write another
 * event.
 */
export class EventError extends AgentwireError {
  override readonly name = "EventError";
  /** The violation. The number of the event counts the events that were written. */
  readonly violation: Violation;
  /** The event as it was given; undefined for the end of the stream. */
  readonly event: unknown;

  constructor(message: string, violation: Violation, event: unknown) {
    super("event-refused", message);
    this.violation = violation;
    this.event = event;
  }
}

/**
 * Writes the events of one stream. The reader of the protocol judges each event before it is
 * written, so a stream without a rule's violation is the only one that can be written.
 *
 * ```js
 * const writer = new EventWriter({ protocol: "ag-kit" });
 * send(writer.write({ type: "text", content: "Hi" }));
 * send(writer.finish()); // the end marker, if the protocol has one
 * ```
 *
 * A writer holds a small amount of WebAssembly memory until `finish` or `free` is called, or its
 * `using` block ends.
 */
export class EventWriter<P extends Protocol> {
  readonly #core: Core<typeof Toolkit>;
  readonly #handle;
  readonly #isLines: boolean;
  #finished = false;

  /** @throws AgentwireError `wrong-argument`, `wrong-option` or `unknown-protocol` */
  constructor(options: EventWriterOptions<P> & { readonly protocol: P }) {
    const [protocol, settings] = forCore("new EventWriter()", ALL, options);
    must(
      protocolOf(ALL, options) !== undefined,
      "wrong-option",
      "new EventWriter(): option `protocol` is the protocol of the stream",
    );
    const instance = (this.#core = toolkit());
    this.#isLines = options.framing === "ndjson";
    this.#handle = new Handle(
      instance,
      () => new instance.bindings.RawEventWriter(protocol, settings, seed(), instance.exchange.raw),
    );
    const refusal = instance.run(() => instance.exchange.resultText);
    if (refusal !== "") {
      this.free();
      const end = refusal.indexOf("\n");
      throw new AgentwireError(refusal.slice(0, end) as ErrorCode, refusal.slice(end + 1));
    }
  }

  /**
   * Writes an event, and returns its text on the wire.
   *
   * @param event an event of the protocol, as an object or as JSON; `[DONE]` is the end marker of
   * the protocols that have one
   * @throws EventError if the event violates a rule; AgentwireError `wrong-argument`, `finished`
   * after `finish`, `freed` after `free`
   */
  write(event: Events[P] | string): string {
    must(
      typeof event === "string" || Object(event) === event,
      "wrong-argument",
      "write(): `event` is an object or JSON text",
    );
    must(
      !this.#finished,
      "finished",
      "the stream was finished: write the next one with a new EventWriter",
    );
    const isDone = (event as { readonly type?: unknown }).type === DONE;
    const data = typeof event === "string" ? event : isDone ? DONE : jsonOf(event as never);
    this.#handle.call("write", this.#core.exchange.raw, data);
    return this.#taken(event);
  }

  /**
   * Ends the stream. Returns the end marker as it is on the wire, if the protocol has one that was
   * not written; otherwise an empty text.
   *
   * @throws EventError if the stream cannot end here: the missing events can still be written
   */
  finish(): string {
    must(!this.#finished, "finished", "the stream was finished already");
    this.#handle.call("finish", this.#core.exchange.raw);
    const last = this.#taken(undefined);
    this.#finished = true;
    this.free();
    return last;
  }

  /** Releases the WebAssembly memory without finishing. */
  free(): void {
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  /** Returns the text that the last call has written. Throws the violation that it has found. */
  #taken(event: unknown): string {
    const text = this.#core.run(() => this.#core.exchange.resultText);
    if (!text.startsWith("[")) {
      return this.#isLines && text !== ""
        ? `${text.slice(text.indexOf(DATA) + DATA.length, -1)}`
        : text;
    }
    const [rule, severity, number, offset, messageId, index, actual, message] = JSON.parse(
      text,
    ) as Refusal;
    const violation = { rule, severity, event: number, offset, messageId, index, actual };
    throw new EventError(message, violation, event);
  }
}

const DONE = "[DONE]";
const DATA = "data: ";

/** A violation in the JSON of the core, and the message of the error. */
type Refusal = readonly [
  rule: string,
  severity: Violation["severity"],
  event: number,
  offset: number,
  messageId: string | null,
  index: number | null,
  actual: string,
  message: string,
];
