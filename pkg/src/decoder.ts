// Reading without any input or output: for workers, tests, sockets, and everything else that has bytes.

import type { Report } from "./findings.js";
import { Fold } from "./fold.js";
import type { DecoderOptions } from "./options.js";
import type { AnyProtocol, Outcome, Protocol, Update } from "./outcome.js";
import type { Readables } from "./readable.js";

/**
 * Reads one stream whose bytes come from wherever you have them, cut anywhere.
 *
 * ```js
 * const decoder = new Decoder();
 * for (const chunk of chunks) {
 *   if (decoder.push(chunk)) render(decoder.update().snapshot);
 * }
 * const { snapshot, report } = decoder.finish();
 * ```
 *
 * It holds a little memory of the WebAssembly module until `finish`, `abort` or `free` is called, or `using` ends.
 */
export class AnyDecoder<P extends AnyProtocol> {
  readonly #fold: Fold;

  /** Each entry has a class of its own, which knows what it reads. */
  protected constructor(reads: Readables, options: DecoderOptions<AnyProtocol>) {
    this.#fold = new Fold(reads, options);
  }

  /**
   * Reads the next bytes. What is wrong with them is in the report. True if there is something new: {@link update} has it.
   *
   * @throws AgentwireError `finished` after `finish` or `abort`, `freed` after `free`, `wrong-chunk` for what is no bytes;
   *   {@link TrapError} if the WebAssembly module traps
   */
  push(bytes: Uint8Array): boolean {
    this.#fold.push(bytes);
    return this.#fold.hasUpdate;
  }

  /**
   * What has changed since this was called last, or since the beginning; undefined if nothing has. So it can be asked for after
   * each chunk, or once for each frame that is drawn. After `finish` and `abort` it has what the end changed.
   */
  update(): Update<P> | undefined {
    return this.#fold.update() as Update<P> | undefined;
  }

  /**
   * The stream is over. Messages without an end stay as they are and are listed in `report.unfinished`. Once only: to finish
   * or abort again throws `finished`, and `snapshot` and `report` stay what they are.
   */
  finish(): Outcome<P> {
    this.#fold.end(false);
    return this.#fold.outcome() as Outcome<P>;
  }

  /** You want no more of the stream: `report.endReason` is `"aborted"`, unless it had ended before. */
  abort(): Outcome<P> {
    this.#fold.end(true);
    return this.#fold.outcome() as Outcome<P>;
  }

  /** The protocol; undefined as long as the first event has to tell it and has not come. */
  get protocol(): Protocol | undefined {
    return this.#fold.publish().protocol;
  }

  /** The answer so far, like `snapshot` of an {@link Update}; with `auto` undefined before the first event. */
  get snapshot(): Undecided<P> | Update<P>["snapshot"] {
    return this.#fold.publish().snapshot as Update<P>["snapshot"];
  }

  /** The tool calls so far. */
  get toolCalls(): Update<P>["toolCalls"] {
    return this.#fold.publish().toolCalls as Update<P>["toolCalls"];
  }

  /** What has been found so far. */
  get report(): Report {
    return this.#fold.report();
  }

  /** Whether nothing that comes can change the answer any more: the terminal event has been read. */
  get isFinal(): boolean {
    return this.#fold.ended;
  }

  /** What `Last-Event-ID` should say when reconnecting now; empty when the stream has no ids. */
  get lastEventId(): string {
    return this.#fold.lastEventId();
  }

  /** Gives the memory back without finishing; harmless after `finish` and `abort`. */
  free(): void {
    this.#fold.free();
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.#fold.free();
  }
}

/** What there is before the first event, where that has to tell what the stream speaks. */
type Undecided<P extends AnyProtocol> = "auto" extends P ? undefined : never;
