// The answer at any moment. It is not stored per event: a step forwards reads on, a step backwards
// reads from the start again, which takes about a millisecond per megabyte.

import { Decoder, type Outcome, type Protocol } from "agentwire";
import type { ProtocolOption } from "./protocols.js";
import type { Recording } from "./recording.js";

/** An answer with its protocol; undefined before the first event, which determines the protocol. */
export type Answer =
  | { readonly protocol: undefined; readonly snapshot: undefined; readonly toolCalls: readonly [] }
  | { [P in Protocol]: AnswerOf<P> }[Protocol];

/** The answer at one moment. */
export type Moment = Answer & {
  /** The response one row earlier; unchanged objects are identical in both. */
  readonly before: object | undefined;
};

/** An answer of protocol `P`. */
export interface AnswerOf<P extends Protocol> {
  readonly protocol: P;
  readonly snapshot: Outcome<P>["snapshot"];
  readonly toolCalls: Outcome<P>["toolCalls"];
}

/** Reads a recording up to a position: the number of rows that have been read. */
export class Cursor {
  readonly #recording: Recording;
  #decoder: Decoder<ProtocolOption>;
  #protocol: Protocol | undefined;
  #position = 0;
  #offset = 0;

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#decoder = this.#start();
  }

  /** Returns the moment at a position. */
  at(position: number): Moment {
    if (position <= this.#position) {
      this.free();
      this.#decoder = this.#start();
      this.#position = this.#offset = 0;
    }
    let before: object | undefined;
    if (position > 0) {
      this.#readTo(position - 1);
      before = this.#decoder.snapshot;
      this.#readTo(position);
    }
    const { snapshot: response, toolCalls } = this.#decoder;
    return { protocol: this.#protocol, snapshot: response, toolCalls, before } as Moment;
  }

  /** Frees the memory in the core. */
  free(): void {
    this.#decoder.free();
  }

  #start(): Decoder<ProtocolOption> {
    const decoder = new Decoder({ protocol: this.#recording.protocolOption });
    this.#protocol = decoder.protocol;
    return decoder;
  }

  #readTo(position: number): void {
    const row = this.#recording.rows[position - 1];
    if (position === this.#position || row === undefined) {
      return;
    }
    this.#decoder.push(this.#recording.bytes.subarray(this.#offset, row.end));
    this.#offset = row.end;
    if (row.label.kind === "end") {
      this.#recording.endOf(this.#decoder);
    }
    this.#protocol = this.#decoder.protocol;
    this.#position = position;
  }
}
