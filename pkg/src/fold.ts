// One stream being read: the core's reader and the answer that its patches build.

import type { RawReader, Report, Violation } from "./agentwire.js";
import type { Front } from "./adapt/protocol.js";
import { Answer } from "./answer.js";
import type { Changes } from "./changes.js";
import { AgentwireError } from "./errors.js";
import { type Exchange, PIECE } from "./exchange.js";
import { Held, SMALL } from "./held.js";
import { PROTOCOLS, type ReadOptions, protocolNumber, settingsOf } from "./options.js";
import type { Outcome, Protocol, AnyProtocol, Update } from "./outcome.js";
import { Patcher } from "./patch.js";
import { type Draft, schemaOf } from "./schema.js";
import { ChunkUpdate, type Root, rootOf } from "./update.js";
import { seed } from "./seed.js";
import { core } from "./wasm.js";

const UNDECIDED: Root = { protocol: undefined, response: undefined, toolCalls: [] };

/** Reads one stream. Knows nothing of where the bytes come from. */
export class Fold {
  readonly #reader: RawReader;
  readonly #exchange: Exchange;
  readonly #exact: boolean;
  #protocol: Protocol | undefined;
  #answer: Answer | undefined;
  #patcher: Patcher | undefined;
  /** What was published last, and the same as users see it. */
  #published: Draft | undefined;
  #root: Root = UNDECIDED;
  /** Makes the Agent API's bytes of those of a protocol of your own. */
  readonly #front: Front | undefined;
  /** There only where there are small chunks. */
  #held: Held | undefined;
  /** Every line is an event. */
  readonly #lines: boolean;
  /** What is answered to chunks that are kept: nothing has changed between them. */
  #idle: ChunkUpdate | undefined;
  #state: "open" | "finished" | "freed" = "open";
  #chunks = 0;
  #violations = 0;
  #ended = false;
  /** As of the last chunk, if somebody has asked. */
  #report: Report | undefined;

  /** Throws if an option is wrong. */
  constructor(options: ReadOptions<AnyProtocol>) {
    const { bindings, exchange } = core();
    const tools = options.clientTools === undefined ? "" : JSON.stringify(options.clientTools);
    const settings = settingsOf(options);
    this.#exact = options.bigint !== false;
    this.#lines = options.framing === "ndjson" && typeof options.protocol !== "object";
    this.#front = typeof options.protocol === "object" ? options.protocol.open(options as ReadOptions<never>) : undefined;
    this.#exchange = exchange;
    this.#reader = new bindings.RawReader(protocolNumber(options), settings, tools, seed(), exchange.raw);
    this.#take(exchange.left(), new ChunkUpdate(this, 0, 0));
  }

  /** Whether nothing can change the answer any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The answer as it is now. */
  publish(): Root {
    const root = this.#answer?.publish();
    if (root === undefined || root === this.#published) {
      return this.#root;
    }
    this.#published = root;
    this.#root = rootOf(this.#protocol!, root);
    return this.#root;
  }

  /** Reads the next bytes. */
  push(chunk: Uint8Array): Update<"auto"> {
    if (!(chunk instanceof Uint8Array) && !isBytes(chunk)) {
      throw new AgentwireError("wrong-chunk", "a chunk is a Uint8Array: encode text with TextEncoder");
    }
    this.#mustBeOpen();
    return this.#read(this.#front?.push(chunk) ?? chunk) as unknown as Update<"auto">;
  }

  #read(chunk: Uint8Array): ChunkUpdate {
    const { length } = chunk;
    if (length <= SMALL && (this.#held ??= new Held(this.#lines)).keep(chunk)) {
      const due = this.#held.due(length);
      if (due === 0) {
        this.#report = undefined;
        return (this.#idle ??= this.#begin().finished(this.#ended, this.#violations));
      }
      const update = this.#begin();
      this.#flush(update, due);
      return update.finished(this.#ended, this.#violations);
    }
    const update = this.#begin();
    this.#flush(update);
    this.#pushAll(chunk, update);
    return update.finished(this.#ended, this.#violations);
  }

  /** The stream is over, or (`aborted`) nobody wants to read on. Gives the core's memory back. */
  end(aborted: boolean): Update<"auto"> {
    this.#mustBeOpen();
    const last = this.#front?.finish(aborted);
    const update = this.#begin();
    this.#flush(update);
    if (last !== undefined) {
      this.#pushAll(last, update);
    }
    this.#reader.finish(this.#exchange.raw, aborted);
    this.#take(this.#exchange.left(), update);
    this.report();
    this.#state = "finished";
    this.#reader.free();
    return update.finished(this.#ended, this.#violations) as unknown as Update<"auto">;
  }

  /** The answer and everything else, once the stream has been ended. */
  outcome(): Outcome<"auto"> {
    return { ...this.publish(), report: this.report() } as Outcome<"auto">;
  }

  /** What has been found so far. */
  report(): Report {
    if (this.#report === undefined) {
      this.#mustBeOpen();
      this.#flush(new ChunkUpdate(this, this.#chunks, this.#violations));
      this.#report = JSON.parse(this.#reader.report()) as Report;
    }
    return this.#report;
  }

  /** What `Last-Event-ID` should say when reconnecting now; empty when the stream has no ids. */
  lastEventId(): string {
    if (this.#state === "finished") {
      return this.report().lastEventId ?? "";
    }
    this.#mustBeOpen();
    return this.#reader.lastEventId();
  }

  /** Gives the core's memory back. */
  free(): void {
    if (this.#state === "open") {
      this.#state = "freed";
      this.#front?.free();
      this.#reader.free();
    }
  }

  #pushAll(chunk: Uint8Array, changes: Changes): void {
    const { length } = chunk;
    if (length <= PIECE) {
      return this.#cross(chunk, length, changes);
    }
    for (let from = 0; from < length; from += PIECE) {
      const piece = chunk.subarray(from, from + PIECE);
      this.#cross(piece, piece.length, changes);
    }
  }

  #cross(piece: Uint8Array, length: number, changes: Changes): void {
    const exchange = this.#exchange;
    this.#take(exchange.push(this.#reader, piece, length), changes);
    while (exchange.hasMore) {
      this.#take(exchange.more(this.#reader), changes);
    }
  }

  /** Reads what was kept, or so much of it. */
  #flush(changes: Changes, length = this.#held?.length ?? 0): void {
    if (length > 0) {
      this.#cross(this.#held!.bytes, length, changes);
      this.#held!.drop(length);
    }
  }

  #begin(): ChunkUpdate {
    this.#idle = undefined;
    this.#report = undefined;
    return new ChunkUpdate(this, ++this.#chunks, this.#violations);
  }

  /** Some of the violations that were found; the report keeps them in the order in which they were. */
  violationsBetween(before: number, after: number): readonly Violation[] {
    if (before === after) {
      return [];
    }
    if (this.#state !== "open") {
      return this.report().violations.slice(before, after);
    }
    return (JSON.parse(this.#reader.violations(before)) as Violation[]).slice(0, after - before);
  }

  #take(left: Exchange, changes: Changes): void {
    if (this.#patcher === undefined) {
      this.#decide(PROTOCOLS[left.protocol], left.protocol);
    }
    this.#patcher?.apply(left, changes);
    this.#violations = left.violations;
    this.#ended = left.ended;
  }

  #decide(protocol: Protocol | undefined, number: number): void {
    if (protocol !== undefined) {
      const schema = schemaOf(number);
      this.#protocol = protocol;
      this.#answer = new Answer(schema);
      this.#patcher = new Patcher(schema, this.#answer, this.#exact);
    }
  }

  #mustBeOpen(): void {
    if (this.#state === "finished") {
      throw new AgentwireError("finished", "the stream was finished: read the next one with a new Decoder");
    }
    if (this.#state === "freed") {
      throw new AgentwireError("freed", "the decoder was freed before it was finished");
    }
  }
}

/** Also those of another realm. */
function isBytes(chunk: Uint8Array): boolean {
  return ArrayBuffer.isView(chunk) && chunk.BYTES_PER_ELEMENT === 1 && "subarray" in chunk;
}
