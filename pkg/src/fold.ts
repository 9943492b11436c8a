// One stream being read: the core's reader and the answer that its patches build.

import type { RawReader } from "./agentwire.js";
import type { Report, Violation } from "./findings.js";
import type { Front } from "./convert/protocol.js";
import { Answer } from "./answer.js";
import { Changes } from "./changes.js";
import { mustBeBytes } from "./body.js";
import type { Core } from "./core.js";
import { AgentwireError, TrapError, tooLarge } from "./errors.js";
import { PIECE, type Exchange } from "./exchange.js";
import { Held, SMALL } from "./held.js";
import { type DecoderOptions, customOf, mustBeOptions, numberOf, protocolOf, settingsOf } from "./options.js";
import type { Outcome, AnyProtocol, Update } from "./outcome.js";
import { Patcher } from "./patch.js";
import type { Readables } from "./readable.js";
import type { Draft, Tables } from "./tables.js";
import { FINDINGS, LAST_EVENT_ID, UNKNOWN, VIOLATIONS } from "./report.js";
import { seed } from "./seed.js";
import { Stage } from "./stage.js";
import { type Root, rootOf } from "./update.js";
import { core } from "./wasm.js";

const UNDECIDED: Root = { protocol: undefined, snapshot: undefined, toolCalls: [] };

/** Reads one stream. Knows nothing of where the bytes come from. */
export class Fold {
  readonly #core: Core;
  readonly #reader: RawReader;
  readonly #exchange: Exchange;
  readonly #exact: boolean;
  readonly #reads: Readables;
  /** Undefined as long as the protocol is not known. */
  #tables: Tables | undefined;
  #answer: Answer | undefined;
  #patcher: Patcher | undefined;
  /** Since the last update. */
  readonly #changes = new Changes();
  /** What was published last, and the same as users see it. */
  #published: Draft | undefined;
  #root: Root = UNDECIDED;
  /** Makes bytes of a protocol that can be read of those of a protocol of your own. */
  readonly #front: Front | undefined;
  /** There only where there are small chunks. */
  #held: Held | undefined;
  /** Every line is an event. */
  readonly #lines: boolean;
  /** No byte says where an event ends. */
  readonly #binary: boolean;
  readonly #stage = new Stage();
  #violations = 0;
  #ended = false;
  /** How many violations there were at the last update, and whether the answer had ended. */
  #toldViolations = 0;
  #toldEnd = false;
  /** As of the last chunk, if somebody has asked. */
  #report: Report | undefined;
  /** For each violation of the report, how many there were before it. */
  #numbers: readonly number[] = [];

  /** Throws if an option is wrong. */
  constructor(reads: Readables, options: DecoderOptions<AnyProtocol>) {
    if (Object(options) !== options) {
      throw new AgentwireError("wrong-argument", "new Decoder(), read(): `options` is an object");
    }
    const { exchange } = (this.#core = core(reads));
    this.#reads = reads;
    mustBeOptions(reads, options);
    const protocol = numberOf(protocolOf(reads, options));
    const settings = settingsOf(reads, options);
    this.#exact = options.bigint !== false;
    const custom = customOf(options.protocol);
    const framing = custom === undefined ? options.framing : undefined;
    this.#lines = framing === "ndjson";
    this.#binary = framing === "length-prefixed";
    this.#front = custom?.open(options as DecoderOptions<never>);
    this.#exchange = exchange;
    this.#reader = this.#call(() => this.#core.read(protocol, settings, seed()));
    this.#take(exchange.left());
    // What every answer begins with is no news.
    this.#changes.take(undefined);
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
    this.#root = rootOf(this.#tables!, root, this.#root);
    return this.#root;
  }

  /** Whether something has changed since the last update. */
  get hasUpdate(): boolean {
    return this.#changes.any || this.#violations !== this.#toldViolations || this.#ended !== this.#toldEnd;
  }

  /** What has changed since the last update, if anything has. */
  update(): Update<"auto"> | undefined {
    if (!this.hasUpdate) {
      return undefined;
    }
    const violations = this.#newViolations();
    const { protocol, snapshot, toolCalls } = this.publish();
    const changes = this.#changes.take(this.#tables?.snapshot);
    this.#toldViolations = this.#violations;
    const ended = (this.#toldEnd = this.#ended);
    return { protocol, snapshot, toolCalls, changes, violations, isFinal: ended } as Update<"auto">;
  }

  /** Reads the next bytes. */
  push(chunk: Uint8Array): void {
    mustBeBytes(chunk);
    this.#stage.mustBeOpen();
    this.#pushOrHold(this.#front?.push(chunk) ?? chunk);
  }

  #pushOrHold(chunk: Uint8Array): void {
    const { length } = chunk;
    this.#report = undefined;
    if (length <= SMALL && !this.#binary && (this.#held ??= new Held(this.#lines)).keep(chunk)) {
      return this.#flush(this.#held.due(length));
    }
    this.#flush();
    this.#pushAll(chunk);
  }

  /** The stream is over, or (`aborted`) nobody wants to read on. Gives the core's memory back. */
  end(aborted: boolean): void {
    this.#stage.mustBeOpen();
    const last = this.#front?.finish(aborted);
    this.#report = undefined;
    this.#flush();
    if (last !== undefined) {
      this.#pushAll(last);
    }
    this.#take(this.#read(() => (this.#reader.finish(this.#exchange.raw, aborted), this.#exchange.left())));
    this.#report = this.#summary();
    this.#core.ended(this.#reader);
    this.#stage.is = "finished";
    this.#core.keep(() => this.#unused());
  }

  /** The answer and everything else, once the stream has been ended. */
  outcome(): Outcome<"auto"> {
    return this.#outcome(this.report());
  }

  /** What has been found so far. */
  report(): Report {
    if (this.#report === undefined) {
      this.#stage.mustBeOpen();
      this.#flush();
      this.#tell(FINDINGS);
      this.#report = this.#summary();
    }
    return this.#report;
  }

  #summary(): Report {
    const exchange = this.#exchange;
    const findings = this.#call(() => exchange.findings());
    this.#numbers = findings.numbers;
    return this.#front?.report?.() ?? exchange.report(findings);
  }

  /** What `Last-Event-ID` should say when reconnecting now; empty when the stream has no ids. */
  lastEventId(): string {
    if (this.#stage.is === "finished") {
      return this.report().lastEventId ?? "";
    }
    this.#stage.mustBeOpen();
    this.#tell(LAST_EVENT_ID);
    return this.#exchange.text;
  }

  /** Gives the core's memory back. */
  free(): void {
    if (this.#stage.is === "open") {
      this.#stage.is = "freed";
      this.#front?.free();
      // What a call has trapped in is still in use by it.
      if (!this.#stage.hasTrapped) {
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
    if (length <= PIECE) {
      return this.#cross(chunk, length);
    }
    for (let from = 0; from < length; from += PIECE) {
      const piece = chunk.subarray(from, from + PIECE);
      this.#cross(piece, piece.length);
    }
  }

  #cross(bytes: Uint8Array, length: number): void {
    let left: Exchange;
    // Not by `#call`, which would make a function for each chunk.
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

  /** Does a call that reads. Where it throws, a patch is lost, and the reader can do no more. */
  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#failed(this.#thrown(error));
    }
  }

  /** Does a call into the core, and nothing else. */
  #call<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#thrown(error);
    }
  }

  /** Lets the core's reader tell that. */
  #tell(what: number, from = 0, to = 0): void {
    this.#call(() => (this.#reader.tell(this.#exchange.raw, what, from, to), this.#exchange.left()));
  }

  #thrown(error: unknown): AgentwireError {
    const thrown = this.#core.thrown(error);
    if (thrown instanceof TrapError) {
      this.#stage.hasTrapped = true;
      this.#failed(thrown);
      thrown.outcome = this.#outcome(this.#report ?? UNKNOWN);
    }
    return thrown;
  }

  #failed(error: AgentwireError): AgentwireError {
    return (this.#stage.failure = error);
  }

  /** Reads what was kept, or so much of it. */
  #flush(length = this.#held?.length ?? 0): void {
    if (length > 0) {
      this.#cross(this.#held!.bytes, length);
      this.#held!.drop(length);
    }
  }

  /** Those since the last update, as far as they are kept. */
  #newViolations(): readonly Violation[] {
    const [before, after] = [this.#toldViolations, this.#violations];
    if (before === after) {
      return [];
    }
    if (this.#stage.is !== "open") {
      const isOne = (number: number): boolean => number >= before && number < after;
      return this.report().violations.filter((_, at) => isOne(this.#numbers[at]!));
    }
    this.#stage.mustBeOpen();
    this.#tell(VIOLATIONS, before, after);
    return this.#call(() => this.#exchange.findings().violations);
  }

  #take(left: Exchange): void {
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
      this.#answer = new Answer(tables);
      this.#changes.added(this.#answer.nodes[0]!);
      this.#patcher = new Patcher(tables, this.#answer, this.#changes, this.#exact, read.more);
    }
  }

  /** What the core keeps of readers: one of each class. */
  #unused(): Fold {
    const fold = new Fold(this.#reads, {});
    fold.#held = new Held(false);
    fold.free();
    return fold;
  }
}
