// Reading without IO, for workers, tests, sockets and other sources of bytes.

import type { Report } from "../core/findings.js";
import { Fold } from "./fold.js";
import type { DecoderOptions } from "./options.js";
import type { AnyProtocol, Outcome, Protocol, Update } from "../core/outcome.js";
import type { Readables } from "./patch.js";

/**
 * Reads one stream from chunks of bytes of any source and size.
 *
 * ```js
 * const decoder = new Decoder();
 * for (const chunk of chunks) {
 *   if (decoder.push(chunk)) render(decoder.update().snapshot);
 * }
 * const { snapshot, report } = decoder.finish();
 * ```
 *
 * A decoder holds a small amount of WebAssembly memory until `finish`, `abort` or `free` is called,
 * or its `using` block ends.
 */
export class AnyDecoder<P extends AnyProtocol> {
  readonly #fold: Fold;

  /** @internal Each entry point has a subclass with its protocols. */
  constructor(reads: Readables, options: DecoderOptions<AnyProtocol>) {
    this.#fold = new Fold(reads, options);
  }

  /**
   * Reads the next bytes. Violations are added to the report. Returns whether {@link update} has a
   * new update.
   *
   * @throws AgentwireError `finished` after `finish` or `abort`, `freed` after `free`,
   * `wrong-chunk` if the argument is not a `Uint8Array`; {@link TrapError} if the WebAssembly
   * module traps
   */
  push(bytes: Uint8Array): boolean {
    this.#fold.push(bytes);
    return this.#fold.hasUpdate;
  }

  /**
   * Returns the changes since the last call, or since the start; undefined if nothing has changed.
   * Call it after each chunk, or once per frame. After `finish` and `abort` it returns the changes
   * at the end.
   */
  update(): Update<P> | undefined {
    return this.#fold.update() as Update<P> | undefined;
  }

  /**
   * Ends the stream. Messages without an end stay in their state and are listed in
   * `report.unfinished`.
   *
   * @throws AgentwireError `finished` after `finish` or `abort`; `snapshot` and `report` do not
   * change
   */
  finish(): Outcome<P> {
    this.#fold.end(false);
    return this.#fold.outcome() as Outcome<P>;
  }

  /** Aborts the stream: `report.endReason` is `"aborted"`, unless the stream had ended before. */
  abort(): Outcome<P> {
    this.#fold.end(true);
    return this.#fold.outcome() as Outcome<P>;
  }

  /** The protocol; undefined until an event has determined it. */
  get protocol(): Protocol | undefined {
    return this.#fold.publish().protocol;
  }

  /**
   * The snapshot so far, as in an {@link Update}; with `auto`, undefined before the first event.
   */
  get snapshot(): Undecided<P> | Update<P>["snapshot"] {
    return this.#fold.publish().snapshot as Update<P>["snapshot"];
  }

  /** The tool calls so far. */
  get toolCalls(): Update<P>["toolCalls"] {
    return this.#fold.publish().toolCalls as Update<P>["toolCalls"];
  }

  /** The report so far. */
  get report(): Report {
    return this.#fold.report();
  }

  /** Whether the snapshot is final: further events cannot change it. */
  get isFinal(): boolean {
    return this.#fold.ended;
  }

  /** The value for the `Last-Event-ID` header when reconnecting; empty if the stream has no ids. */
  get lastEventId(): string {
    return this.#fold.lastEventId();
  }

  /** Releases the WebAssembly memory without finishing. Does nothing after `finish` and `abort`. */
  free(): void {
    this.#fold.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.#fold.free();
  }
}

/** The type of the snapshot before the first event, which determines the protocol. */
type Undecided<P extends AnyProtocol> = "auto" extends P ? undefined : never;
