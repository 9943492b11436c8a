// One stream being read: the core's reader and the answer that its patches build.

import type { RawReader, Report, Response, ToolCall, Violation } from "./agentwire.js";
import { Answer } from "./answer.js";
import { Changes } from "./changes.js";
import { AgentwireError } from "./errors.js";
import { type Exchange, type Left, PIECE } from "./exchange.js";
import { type ReadOptions, protocolOf, settingsOf } from "./options.js";
import type { Change, Outcome, Update } from "./outcome.js";
import { Patcher } from "./patch.js";
import { schemaOf } from "./schema.js";
import { core } from "./wasm.js";

/** What a published answer consists of. */
interface Root {
  readonly response: Response;
  readonly toolCalls: readonly ToolCall[];
}

/** Reads one stream. Knows nothing of where the bytes come from. */
export class Fold {
  readonly #reader: RawReader;
  readonly #exchange: Exchange;
  readonly #answer: Answer;
  readonly #patcher: Patcher;
  #state: "open" | "finished" | "freed" = "open";
  #chunks = 0;
  #violations = 0;
  #ended = false;
  /** As of the last chunk, if somebody has asked. */
  #report: Report | undefined;

  /** Throws if an option is wrong. */
  constructor(options: ReadOptions) {
    const settings = settingsOf(options);
    const schema = schemaOf(protocolOf(options));
    this.#answer = new Answer(schema);
    this.#patcher = new Patcher(schema, this.#answer, options.bigint !== false);
    const { bindings, exchange } = core();
    this.#exchange = exchange;
    this.#reader = new bindings.RawReader(settings, seed(), exchange.raw);
    this.#take(exchange.left(), new Changes(0));
  }

  /** Whether nothing can change the answer any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The answer as it is now. */
  publish(): Root {
    return this.#answer.publish() as unknown as Root;
  }

  /** Reads the next bytes. */
  push(chunk: Uint8Array): Update {
    if (!ArrayBuffer.isView(chunk) || !("subarray" in chunk) || chunk.BYTES_PER_ELEMENT !== 1) {
      throw new AgentwireError("wrong-chunk", "a chunk is a Uint8Array: encode text with TextEncoder");
    }
    const update = this.#begin();
    if (chunk.length <= PIECE) {
      this.#take(this.#exchange.push(this.#reader, chunk), update.touched);
    } else {
      for (let from = 0; from < chunk.length; from += PIECE) {
        this.#take(this.#exchange.push(this.#reader, chunk.subarray(from, from + PIECE)), update.touched);
      }
    }
    return update.finished(this.#ended, this.#violations);
  }

  /** The stream is over, or (`aborted`) nobody wants to read on. Gives the core's memory back. */
  end(aborted: boolean): Update {
    const update = this.#begin();
    this.#reader.finish(this.#exchange.raw, aborted);
    this.#take(this.#exchange.left(), update.touched);
    this.report();
    this.#state = "finished";
    this.#reader.free();
    return update.finished(this.#ended, this.#violations);
  }

  /** The answer and everything else, once the stream has been ended. */
  outcome(): Outcome {
    return { ...this.publish(), report: this.report() };
  }

  /** What has been found so far. */
  report(): Report {
    if (this.#report === undefined) {
      this.#mustBeOpen();
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
      this.#reader.free();
    }
  }

  #begin(): ChunkUpdate {
    this.#mustBeOpen();
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
    this.#patcher.apply(left, changes);
    this.#violations = left.violations;
    this.#ended = left.ended;
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
class ChunkUpdate implements Update {
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

  get snapshot(): Response {
    return this.#taken.response;
  }

  get toolCalls(): readonly ToolCall[] {
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

/** A number that the server cannot know, so that it cannot prepare texts with equal fingerprints. */
function seed(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}
