// One stream that is being read: the reader in the core, and the snapshot that its patches build.

import type { RawReader } from "../agentwire.js";
import type { AnyProtocol, InputConverter, Outcome, Protocol, Update } from "../core/outcome.js";
import type { Core } from "../core/core.js";
import type { ErrorCode } from "../core/error_codes.js";
import { AgentwireError, TrapError, must, tooLarge } from "../core/errors.js";
import { type SharedMemory, INPUT_BYTES } from "../core/shared_memory.js";
import { seed } from "../core/random.js";
import { FINDINGS, LAST_EVENT_ID, VIOLATIONS, unknownReport } from "../core/report.js";
import type { Report, Violation } from "../core/findings.js";
import type { Draft, Tables } from "../core/tables.js";
import { core } from "../core/wasm.js";
import { GrowingSnapshot } from "./growing_snapshot.js";
import { mustBeBytes } from "./body.js";
import { Changes } from "./changes.js";
import { ChunkBuffer, MAX_SMALL_CHUNK_BYTES } from "./chunk_buffer.js";
import { type DecoderOptions, customOf, forCore } from "./options.js";
import { type Readables, Patcher } from "./patch.js";

/**
 * The number of the protocol if the core does not take the options. The text is then the code and
 * the message of the error.
 */
const REFUSED = 0xffff_ffff;

const UNDECIDED: Root = { protocol: undefined, snapshot: undefined, toolCalls: [] };

/** Reads one stream, independent of the source of its bytes. */
export class Fold {
  readonly #core: Core;
  readonly #reader: RawReader;
  readonly #exchange: SharedMemory;
  readonly #exact: boolean;
  readonly #reads: Readables;
  /** Undefined while the protocol is unknown. */
  #tables: Tables | undefined;
  #growing: GrowingSnapshot | undefined;
  #patcher: Patcher | undefined;
  /** The changes since the last update. */
  readonly #changes = new Changes();
  /** The root object that was published last, and its public form. */
  #published: Draft | undefined;
  #root: Root = UNDECIDED;
  /** Converts the bytes of a custom protocol to those of a built-in one. */
  readonly #inputConverter: InputConverter | undefined;
  /** The buffer for small chunks, created with the first one. */
  #buffer: ChunkBuffer | undefined;
  /** Whether every line is an event. */
  readonly #lines: boolean;
  /** Whether the framing is binary, so that no byte marks the end of an event. */
  readonly #binary: boolean;
  #stage: "open" | "finished" | "freed" = "open";
  /**
   * The error after which the reader cannot be used: a call of it has trapped, or its result could
   * not be read.
   */
  #failure: AgentwireError | undefined;
  /** Whether the module was interrupted inside a call, which still uses the reader. */
  #hasTrapped = false;
  #violations = 0;
  #ended = false;
  /** The number of violations, and whether the stream had ended, at the last update. */
  #reportedViolations = 0;
  #reportedEnd = false;
  /** The report after the last chunk, if it was requested. */
  #report: Report | undefined;
  /** The number of violations before each violation of the report. */
  #numbers: readonly number[] = [];

  /** @throws AgentwireError if an option is invalid */
  constructor(reads: Readables, options: DecoderOptions<AnyProtocol>) {
    const called = "new Decoder(), read()";
    const [protocol, settings] = forCore(called, reads, options);
    const { exchange } = (this.#core = core(reads));
    this.#reads = reads;
    this.#exact = options.bigint !== false;
    const custom = customOf(options.protocol);
    const framing = custom === undefined ? options.framing : undefined;
    this.#lines = framing === "ndjson";
    this.#binary = framing === "length-prefixed";
    this.#inputConverter = custom?.open(options as DecoderOptions<never>);
    this.#exchange = exchange;
    this.#reader = this.#call(() => this.#core.read(protocol, settings, seed()));
    const left = exchange.left();
    if (left.protocol === REFUSED) {
      const [code, message] = left.text.split("\n");
      this.free();
      throw new AgentwireError(code as ErrorCode, `${called}: ${message}`);
    }
    this.#take(left);
    // The initial state of a snapshot is not a change.
    this.#changes.take(undefined);
  }

  /** Whether the snapshot is final: further events cannot change it. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Returns the current snapshot. */
  publish(): Root {
    const root = this.#growing?.publish();
    if (root === undefined || root === this.#published) {
      return this.#root;
    }
    this.#published = root;
    this.#root = rootOf(this.#tables!, root, this.#root);
    return this.#root;
  }

  /** Whether something has changed since the last update. */
  get hasUpdate(): boolean {
    return (
      this.#changes.any ||
      this.#violations !== this.#reportedViolations ||
      this.#ended !== this.#reportedEnd
    );
  }

  /** Returns the changes since the last update; undefined if nothing has changed. */
  update(): Update<"auto"> | undefined {
    if (!this.hasUpdate) {
      return undefined;
    }
    const violations = this.#newViolations();
    const { protocol, snapshot, toolCalls } = this.publish();
    const changes = this.#changes.take(this.#tables?.snapshot);
    this.#reportedViolations = this.#violations;
    const ended = (this.#reportedEnd = this.#ended);
    return { protocol, snapshot, toolCalls, changes, violations, isFinal: ended } as Update<"auto">;
  }

  /** Reads the next bytes. */
  push(chunk: Uint8Array): void {
    mustBeBytes(chunk);
    this.#mustBeOpen();
    this.#pushOrHold(this.#inputConverter?.push(chunk) ?? chunk);
  }

  #pushOrHold(chunk: Uint8Array): void {
    const { length } = chunk;
    this.#report = undefined;
    if (
      length <= MAX_SMALL_CHUNK_BYTES &&
      !this.#binary &&
      (this.#buffer ??= new ChunkBuffer(this.#lines)).append(chunk)
    ) {
      return this.#flush(this.#buffer.completeBytes(length));
    }
    this.#flush();
    this.#pushAll(chunk);
  }

  /** Ends the stream, or aborts it with `aborted`. Releases the memory of the core. */
  end(aborted: boolean): void {
    this.#mustBeOpen();
    const last = this.#inputConverter?.finish(aborted);
    this.#report = undefined;
    this.#flush();
    if (last !== undefined) {
      this.#pushAll(last);
    }
    this.#take(
      this.#read(() => {
        this.#reader.finish(this.#exchange.raw, aborted);
        return this.#exchange.left();
      }),
    );
    this.#report = this.#summary();
    this.#core.ended(this.#reader);
    this.#stage = "finished";
    this.#core.keepReader(() => this.#unused());
  }

  /** Returns the outcome after `end`. */
  outcome(): Outcome<"auto"> {
    return this.#outcome(this.report());
  }

  /** Returns the report so far. */
  report(): Report {
    if (this.#report === undefined) {
      this.#mustBeOpen();
      this.#flush();
      this.#request(FINDINGS);
      this.#report = this.#summary();
    }
    return this.#report;
  }

  #summary(): Report {
    const exchange = this.#exchange;
    const findings = this.#call(() => exchange.findings());
    this.#numbers = findings.numbers;
    return this.#inputConverter?.report?.() ?? exchange.report(findings);
  }

  /**
   * Returns the value for the `Last-Event-ID` header when reconnecting; empty if the stream has no
   * ids.
   */
  lastEventId(): string {
    if (this.#stage === "finished") {
      return this.report().lastEventId ?? "";
    }
    this.#mustBeOpen();
    this.#request(LAST_EVENT_ID);
    return this.#exchange.text;
  }

  /** Releases the memory of the core. */
  free(): void {
    if (this.#stage === "open") {
      this.#stage = "freed";
      this.#inputConverter?.free();
      // After a trap, the interrupted call still uses the reader.
      if (!this.#hasTrapped) {
        this.#core.free(this.#reader);
      }
    }
  }

  #outcome(report: Report): Outcome<"auto"> {
    const { protocol, snapshot, toolCalls } = this.publish();
    return { protocol, snapshot, toolCalls, report } as Outcome<"auto">;
  }

  #pushAll(chunk: Uint8Array): void {
    const { length } = chunk;
    if (length <= INPUT_BYTES) {
      return this.#cross(chunk, length);
    }
    for (let from = 0; from < length; from += INPUT_BYTES) {
      const piece = chunk.subarray(from, from + INPUT_BYTES);
      this.#cross(piece, piece.length);
    }
  }

  #cross(bytes: Uint8Array, length: number): void {
    let left: SharedMemory;
    // Does not use `#call`, which would create a function for each chunk.
    try {
      left = this.#exchange.push(this.#reader, bytes, length);
    } catch (error) {
      throw this.#failed(this.#thrown(error));
    }
    this.#take(left);
    while (left.hasMore) {
      this.#take(this.#read(() => left.more(this.#reader)));
    }
  }

  /**
   * Runs a call that reads. If it throws, a patch is lost, and the reader cannot be used any more.
   */
  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#failed(this.#thrown(error));
    }
  }

  /** Runs a call into the core, and nothing else. */
  #call<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#thrown(error);
    }
  }

  /** Requests data from the reader in the core. */
  #request(what: number, from = 0, to = 0): void {
    this.#call(() => {
      this.#reader.writeReport(this.#exchange.raw, what, from, to);
      return this.#exchange.left();
    });
  }

  #thrown(error: unknown): AgentwireError {
    const thrown = this.#core.thrown(error);
    if (thrown instanceof TrapError) {
      this.#hasTrapped = true;
      this.#failed(thrown);
      thrown.outcome = this.#outcome(this.#report ?? unknownReport());
    }
    return thrown;
  }

  #failed(error: AgentwireError): AgentwireError {
    return (this.#failure = error);
  }

  /** Reads the buffered bytes, or the first `length` of them. */
  #flush(length = this.#buffer?.length ?? 0): void {
    if (length > 0) {
      this.#cross(this.#buffer!.bytes, length);
      this.#buffer!.drop(length);
    }
  }

  /** Returns the violations since the last update that are kept in full. */
  #newViolations(): readonly Violation[] {
    const [before, after] = [this.#reportedViolations, this.#violations];
    if (before === after) {
      return [];
    }
    if (this.#stage !== "open") {
      const isOne = (number: number): boolean => number >= before && number < after;
      return this.report().violations.filter((_, at) => isOne(this.#numbers[at]!));
    }
    this.#mustBeOpen();
    this.#request(VIOLATIONS, before, after);
    return this.#call(() => this.#exchange.findings().violations);
  }

  #take(left: SharedMemory): void {
    if (this.#patcher === undefined) {
      this.#decide(left.protocol);
    }
    try {
      this.#patcher?.apply(left);
    } catch (error) {
      throw this.#failed(tooLarge(error));
    }
    this.#violations = left.violations;
    this.#ended = left.ended;
  }

  #decide(protocol: number): void {
    const read = this.#reads.find(({ tables }) => tables.number === protocol);
    if (read !== undefined) {
      const tables = (this.#tables = read.tables);
      this.#growing = new GrowingSnapshot(tables);
      this.#changes.added(this.#growing.nodes[0]!);
      this.#patcher = new Patcher(tables, this.#growing, this.#changes, this.#exact, read.more);
    }
  }

  /** Throws the reason if the stream cannot be read any more. */
  #mustBeOpen(): void {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    must(
      this.#stage !== "finished",
      "finished",
      "the stream was finished: read the next one with a new Decoder",
    );
    must(this.#stage !== "freed", "freed", "the decoder was freed before it was finished");
  }

  /** Returns an object of each class for reading, which the core keeps. */
  #unused(): Fold {
    const fold = new Fold(this.#reads, {});
    fold.#buffer = new ChunkBuffer(false);
    fold.free();
    return fold;
  }
}

/** The properties of a published snapshot; empty while the protocol is unknown. */
export interface Root {
  readonly protocol: Protocol | undefined;
  readonly snapshot: unknown;
  readonly toolCalls: readonly unknown[];
}

/** Returns the public form of a root object. `before` is that of the snapshot before. */
export function rootOf(tables: Tables, root: Draft, before: Root): Root {
  const { name, snapshot, toolCalls, toolCallType, callsInside } = tables;
  let calls = (root[toolCalls] ?? []) as readonly Draft[];
  if (toolCallType !== undefined || callsInside !== undefined) {
    const last = before.toolCalls;
    calls =
      callsInside === undefined
        ? calls.filter(({ type }) => type === toolCallType)
        : calls.flatMap((holder) => (holder[callsInside] ?? []) as readonly Draft[]);
    // An unchanged list is the same object as before.
    calls =
      calls.length === last.length && calls.every((call, at) => call === last[at])
        ? (last as Draft[])
        : calls;
  }
  return {
    protocol: name,
    snapshot: snapshot === undefined ? root : root[snapshot],
    toolCalls: calls,
  };
}
