// One stream being read: the core's reader and the answer that its patches build.

import type { AgKitTurn, RawReader, Report, Response, ToolCall, Violation } from "./agentwire.js";
import type { Front } from "./adapt/protocol.js";
import { Answer } from "./answer.js";
import { Changes } from "./changes.js";
import { AgentwireError } from "./errors.js";
import { type Exchange, type Left, PIECE } from "./exchange.js";
import { PROTOCOLS, type ReadOptions, protocolNumber, settingsOf } from "./options.js";
import type { Change, Outcome, Protocol, AnyProtocol, Update } from "./outcome.js";
import { Patcher } from "./patch.js";
import { type Draft, schemaOf } from "./schema.js";
import { seed } from "./seed.js";
import { core } from "./wasm.js";

/** What a published answer consists of; nothing as long as the protocol is not known. */
interface Root {
  readonly protocol: Protocol | undefined;
  readonly response: Response | AgKitTurn | undefined;
  readonly toolCalls: readonly unknown[];
}

const UNDECIDED: Root = { protocol: undefined, response: undefined, toolCalls: [] };

/** Up to this length a chunk is worth a look whether it holds a line end; how many bytes of such chunks are kept. */
const SMALL = 64;
const HELD = 512;

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
  /** The bytes of small chunks that have not been read yet. */
  #held: Uint8Array | undefined;
  #heldLength = 0;
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
    this.#front = typeof options.protocol === "object" ? options.protocol.open(options as ReadOptions<never>) : undefined;
    this.#exchange = exchange;
    this.#reader = new bindings.RawReader(protocolNumber(options), settings, tools, seed(), exchange.raw);
    this.#take(exchange.left(), new Changes(0));
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
    if (!ArrayBuffer.isView(chunk) || chunk.BYTES_PER_ELEMENT !== 1 || !("subarray" in chunk)) {
      throw new AgentwireError("wrong-chunk", "a chunk is a Uint8Array: encode text with TextEncoder");
    }
    this.#mustBeOpen();
    return this.#read(this.#front?.push(chunk) ?? chunk);
  }

  #read(chunk: Uint8Array): Update<"auto"> {
    if (chunk.length <= SMALL && this.#hold(chunk)) {
      this.#report = undefined;
      this.#idle ??= this.#begin().finished(this.#ended, this.#violations);
      return this.#idle as unknown as Update<"auto">;
    }
    const update = this.#begin();
    this.#flush(update.touched);
    this.#pushAll(chunk, update.touched);
    return update.finished(this.#ended, this.#violations) as unknown as Update<"auto">;
  }

  /** The stream is over, or (`aborted`) nobody wants to read on. Gives the core's memory back. */
  end(aborted: boolean): Update<"auto"> {
    this.#mustBeOpen();
    const last = this.#front?.finish(aborted);
    const update = this.#begin();
    this.#flush(update.touched);
    if (last !== undefined) {
      this.#pushAll(last, update.touched);
    }
    this.#reader.finish(this.#exchange.raw, aborted);
    this.#take(this.#exchange.left(), update.touched);
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
      this.#flush(new Changes(this.#chunks));
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
    if (chunk.length <= PIECE) {
      return this.#take(this.#exchange.push(this.#reader, chunk, chunk.length), changes);
    }
    for (let from = 0; from < chunk.length; from += PIECE) {
      const piece = chunk.subarray(from, from + PIECE);
      this.#take(this.#exchange.push(this.#reader, piece, piece.length), changes);
    }
  }

  /**
   * Keeps a small chunk without a line end for the next one: no event can be whole before its line is. False if there is
   * a line end, or no room.
   */
  #hold(chunk: Uint8Array): boolean {
    const { length } = chunk;
    const from = this.#heldLength;
    if (from + length > HELD) {
      return false;
    }
    const held = (this.#held ??= new Uint8Array(HELD));
    for (let at = 0; at < length; at++) {
      const byte = chunk[at]!;
      if (byte === 10 || byte === 13) {
        return false;
      }
      held[from + at] = byte;
    }
    this.#heldLength = from + length;
    return true;
  }

  /** Reads what was kept. */
  #flush(changes: Changes): void {
    if (this.#heldLength > 0) {
      const length = this.#heldLength;
      this.#heldLength = 0;
      this.#take(this.#exchange.push(this.#reader, this.#held!, length), changes);
    }
  }

  #begin(): ChunkUpdate {
    this.#idle = undefined;
    this.#report = undefined;
    return new ChunkUpdate(this, new Changes(++this.#chunks), this.#violations);
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

  #take(left: Left, changes: Changes): void {
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

/** Everything in it is made when it is read. */
class ChunkUpdate {
  ended = false;
  /** What the chunk touches. */
  readonly touched: Changes;
  readonly #fold: Fold;
  /** How many violations there were before the chunk, and how many after it. */
  readonly #before: number;
  #after = 0;
  #violations: readonly Violation[] | undefined;
  #root: Root | undefined;

  constructor(fold: Fold, touched: Changes, before: number) {
    this.#fold = fold;
    this.touched = touched;
    this.#before = before;
  }

  finished(ended: boolean, violations: number): this {
    this.ended = ended;
    this.#after = violations;
    return this;
  }

  get protocol(): Protocol | undefined {
    return this.#taken.protocol;
  }

  get snapshot(): Response | AgKitTurn | undefined {
    return this.#taken.response;
  }

  get toolCalls(): readonly unknown[] {
    return this.#taken.toolCalls;
  }

  get changes(): readonly Change[] {
    return this.touched.list();
  }

  get violations(): readonly Violation[] {
    this.#violations ??= this.#fold.violationsBetween(this.#before, this.#after);
    return this.#violations;
  }

  get #taken(): Root {
    this.#root ??= this.#fold.publish();
    return this.#root;
  }
}

/** The root object of a protocol, which for the Agent API only holds the answer. */
function rootOf(protocol: Protocol, root: Draft): Root {
  if (protocol === "agent-api") {
    const { response, toolCalls } = root as { response: Response; toolCalls: readonly ToolCall[] };
    return { protocol, response, toolCalls };
  }
  const turn = root as unknown as AgKitTurn;
  return { protocol, response: turn, toolCalls: turn.parts.filter((part) => part.type === "tool-call") };
}
