// The events of a stream, without a snapshot.

import {
  type AgentwireSource,
  type Chunks,
  isPromise,
  mustBeBytes,
  mustBeSource,
  openWhenReady,
} from "./body.js";
import type { Core } from "../core/core.js";
import { Handle } from "../core/handle.js";
import { AgentwireError, ConnectionError, isAbort, must } from "../core/errors.js";
import type { DefaultProtocol } from "../generated/contract.js";
import { INPUT_BYTES } from "../core/shared_memory.js";
import { parseJson } from "../core/json.js";
import { type DecoderOptions, binaryOf, forCore } from "./options.js";
import type { Protocol, ProtocolChoice } from "../core/outcome.js";
import type { Events } from "../generated/registry/types.js";
import type { Readables } from "./patch.js";
import { core } from "../core/wasm.js";

export type { Events } from "../generated/registry/types.js";

/** An event of protocol `P`. */
export type EventOf<P extends ProtocolChoice> = P extends Protocol ? Events[P] : Events[Protocol];

/** The options of `events` and `EventDecoder`. All are optional. */
export interface EventsOptions<P extends ProtocolChoice = DefaultProtocol>
  extends Pick<DecoderOptions, "framing" | "ending" | "limits" | "bigint"> {
  /** The protocol of the stream. With `auto`, the default, its first event determines it. */
  readonly protocol?: P | undefined;
  /** Aborting it ends the loop of `events`, like the end of the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** An entry of a stream: `switch` on `kind`. */
export type StreamEntry<P extends ProtocolChoice = DefaultProtocol> =
  | StreamEvent<P>
  | MalformedEvent
  | StreamComment;

interface EventPosition {
  /** The number of the event, from 0, as in `event` of a violation. */
  readonly number: number;
  /** The byte offset of its first line. */
  readonly offset: number;
  /** The byte offset after the blank line that ends it. */
  readonly end: number;
  /** The value of its `event` line; `message` without one. */
  readonly name: string;
  /** The value of the stream's last `id` line; empty without one. */
  readonly id: string;
}

/** An event of the protocol. */
export interface StreamEvent<P extends ProtocolChoice = DefaultProtocol> extends EventPosition {
  readonly kind: "event";
  /** The parsed event, as received. Integers that a number cannot hold are `bigint`. */
  readonly event: EventOf<P>;
}

/**
 * An event that does not match the protocol: its data is not JSON or not an object, is too large,
 * or has a property of a wrong type.
 */
export interface MalformedEvent extends EventPosition {
  readonly kind: "malformed";
  /** The unchanged data; empty if it exceeded the limit. */
  readonly data: string;
  /** The first fault of the data. */
  readonly fault: {
    /**
     * The kind of the fault, in kebab-case: `not-json`, `wrong-type`, `missing-member`,
     * `limit-exceeded` …
     */
    readonly code: string;
    /**
     * The path of the fault: property names and list positions joined by dots; empty for the event
     * itself.
     */
    readonly path: string;
    /** The byte offset of the fault in the data. */
    readonly offset: number;
    /** The expected value. */
    readonly expected: string;
  };
}

/** A comment, which servers send as a heartbeat. */
export interface StreamComment {
  readonly kind: "comment";
  /** The byte offset of its line. */
  readonly offset: number;
  /** The text after the colon. */
  readonly text: string;
}

/**
 * Reads the events of one stream from chunks of bytes of any source and size.
 *
 * ```js
 * const decoder = new EventDecoder();
 * for (const chunk of chunks) decoder.push(chunk).forEach(show);
 * decoder.finish().forEach(show);
 * ```
 *
 * A decoder holds a small amount of WebAssembly memory until `finish` or `free` is called, or its
 * `using` block ends.
 */
export class AnyEventDecoder<P extends ProtocolChoice> {
  readonly #core: Core;
  readonly #handle;
  readonly #exact: boolean;
  #next = 0;
  #finished = false;

  /** @internal Each entry point has a subclass with its protocols. */
  constructor(reads: Readables, options: EventsOptions<ProtocolChoice>) {
    const [protocol, settings] = forCore(CALLED, reads, options);
    const instance = (this.#core = core(reads));
    this.#exact = options.bigint !== false;
    this.#handle = new Handle(
      instance,
      () => new instance.bindings.RawEventReader(protocol, settings),
    );
  }

  /**
   * Reads the next bytes, and returns the entries that they complete, in order.
   *
   * @throws AgentwireError `finished` after `finish`, `freed` after `free`, `wrong-chunk` if the
   * argument is not a `Uint8Array`
   */
  push(bytes: Uint8Array): StreamEntry<P>[] {
    mustBeBytes(bytes);
    this.#mustBeOpen();
    const entries: StreamEntry<P>[] = [];
    for (let from = 0; from < bytes.length; from += INPUT_BYTES) {
      const { exchange } = this.#core;
      const piece = bytes.subarray(from, from + INPUT_BYTES);
      this.#core.run(() => exchange.give(piece));
      this.#handle.call("push", exchange.raw, piece.length);
      this.#take(entries);
    }
    return entries;
  }

  /** Ends the stream, and returns the entries that its end completes. */
  finish(): StreamEntry<P>[] {
    this.#mustBeOpen();
    const entries: StreamEntry<P>[] = [];
    const { exchange } = this.#core;
    this.#handle.call("finish", exchange.raw);
    this.#take(entries);
    this.#finished = true;
    this.free();
    return entries;
  }

  /** Releases the WebAssembly memory without finishing. */
  free(): void {
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  #take(entries: StreamEntry<P>[]): void {
    const rows = this.#core.run(() => JSON.parse(this.#core.exchange.resultText) as EntryRow[]);
    for (const row of rows) {
      entries.push(this.#entry(row));
    }
  }

  #entry([offset, text, end, number, name, id, ...fault]: EntryRow): StreamEntry<P> {
    if (end === undefined) {
      return { kind: "comment", offset, text };
    }
    if (end === 0) {
      const fault = {
        code: "limit-exceeded",
        path: "",
        offset: 0,
        expected: `at most ${number} ${text}`,
      };
      return {
        kind: "malformed",
        number: this.#next,
        offset,
        end: offset,
        name: "message",
        id: "",
        data: "",
        fault,
      };
    }
    this.#next = number! + 1;
    const place = { number: number!, offset, end, name: name!, id: id! };
    if (fault.length === 0) {
      return { kind: "event", ...place, event: this.#parsed(text) as EventOf<P> };
    }
    const [code, path, at, expected] = fault as unknown as EventFault;
    return { kind: "malformed", ...place, data: text, fault: { code, path, offset: at, expected } };
  }

  #parsed(text: string): unknown {
    if (text.trim() === DONE) {
      return { type: DONE };
    }
    return this.#exact ? parseJson(text) : JSON.parse(text);
  }

  #mustBeOpen(): void {
    must(
      !this.#finished,
      "finished",
      "the stream was finished: read the next one with a new EventDecoder",
    );
  }
}

const DONE = "[DONE]";

/**
 * An entry in the JSON of the core: the offset and text of a comment; for an event also the other
 * values, and its fault. If `end` is 0, the event was skipped: `text` is the name of the exceeded
 * limit and `number` its value; for JSON lines, `text` is empty.
 */
type EntryRow = readonly [
  offset: number,
  text: string,
  end?: number,
  number?: number,
  name?: string,
  id?: string,
  ...fault: [] | EventFault,
];
type EventFault = [code: string, path: string, offset: number, expected: string];

const CALLED = "new EventDecoder(), events()";

/** Returns the events of a stream of one of these protocols. */
export function eventsOf<P extends ProtocolChoice>(
  reads: Readables,
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: EventsOptions<ProtocolChoice>,
): AsyncGenerator<StreamEntry<P>, void, undefined> {
  forCore(CALLED, reads, options);
  if (!isPromise(source)) {
    mustBeSource(source);
  }
  return entriesOf<P>(reads, source, options);
}

async function* entriesOf<P extends ProtocolChoice>(
  reads: Readables,
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: EventsOptions<ProtocolChoice>,
): AsyncGenerator<StreamEntry<P>, void, undefined> {
  const { signal, framing: requested } = options;
  let decoder = new AnyEventDecoder<P>(reads, options);
  let chunks: Chunks | undefined;
  /** Ends the pending wait. */
  let interrupt: (() => void) | undefined;
  const unlessAborted = <T>(promise: PromiseLike<T>): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      interrupt = () => resolve(undefined);
      promise.then(resolve, reject);
      if (signal?.aborted) {
        interrupt();
      }
    });
  const stop = (): void => interrupt?.();
  let over = false;
  const opening = openWhenReady(source, requested, binaryOf(reads, options), (framing) => {
    if (!over) {
      decoder.free();
      decoder = new AnyEventDecoder<P>(reads, { ...options, framing });
    }
  });
  opening.then(
    (late) => over && late.cancel("the reader has stopped"),
    () => {},
  );
  signal?.addEventListener("abort", stop);
  try {
    chunks = await unlessAborted(opening);
    for (let chunk; (chunk = chunks && (await unlessAborted(chunks.next()))) !== undefined; ) {
      if (chunk.done) {
        chunks!.release();
        chunks = undefined;
        yield* decoder.finish();
        return;
      }
      yield* decoder.push(chunk.value);
    }
  } catch (error) {
    if (error instanceof AgentwireError) {
      throw error;
    }
    if (!isAbort(error)) {
      throw new ConnectionError(error, undefined);
    }
  } finally {
    over = true;
    signal?.removeEventListener("abort", stop);
    chunks?.cancel(signal?.aborted ? signal.reason : "the reader has stopped");
    decoder.free();
  }
}
