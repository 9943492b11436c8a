// What a stream is read as, and how: the protocols, and those of your own. Types only.

import type { Report } from "./findings.js";
import type { Losses } from "./convert/losses.js";
import type { CommonOptions, DefaultProtocol, Limits } from "./generated.js";
import type { AllOptions, Answers, OptionsOf } from "./protocol_types.js";

/** A protocol that can be read. */
export type Protocol = keyof Answers;

/** What a reader can be told by name: a protocol, or that the stream tells it. */
export type ProtocolChoice = Protocol | "auto";

/** What a reader can be told: also a protocol of your own. */
export type AnyProtocol = ProtocolChoice | CustomProtocol;

/** How a stream is read, whatever it speaks. Everything is optional. */
export interface SharedOptions extends CommonOptions {
  /** Bounds on what a stream can make the reader hold; what is left out has its default. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Integers in free JSON that a number cannot hold become `bigint` (the default), or with `false` the nearest number.
   */
  readonly bigint?: boolean | undefined;
}

/** How a stream of one protocol is read, by a reader that has no other. Everything is optional. */
export type OptionsFor<P extends Protocol> = SharedOptions & OptionsOf[P] & { readonly protocol?: P | undefined };

/** How a stream is read. Everything is optional. An option that only one protocol has means nothing to the others. */
export interface DecoderOptions<P extends AnyProtocol = DefaultProtocol> extends SharedOptions, AllOptions {
  /**
   * The protocol of the stream. With `auto`, the default, its first event determines it; until then there is no
   * answer, and if none does, it is read as that first one. A protocol of your own (`defineProtocol`) is read as what it
   * means there.
   */
  readonly protocol?: P | undefined;
}

/** How events lie in a stream: one line each, or the data of server-sent events. */
export type Framing = "lines" | "sse";

/** A protocol that `read`, `Decoder`, `convert`, `Converter` and `respond` work with like with a built-in one. */
export interface CustomProtocol {
  readonly name: string;
  readonly contentType: string;
  readonly framing: Framing;
  /** What it is read as; the first of the protocols if left out. */
  readonly as?: Protocol;
  /** What the bytes are, where it is the answer of another protocol that is shown in the shape of `as`. */
  readonly shows?: AnyProtocol;
  /** See {@link ProtocolDefinition.detect}. */
  detect(event: string): boolean;
  /** Turns bytes of the protocol into bytes of the one that it is read as. For `read` and `Decoder`. */
  open(options: DecoderOptions<never>): Front;
  /** Bytes to steps, as lines of JSON. */
  source(losses: Losses): Source;
  /** Steps, as lines of JSON, to bytes. */
  target(): Target;
}

/** What stands in front of a reader. */
export interface Front {
  push(bytes: Uint8Array): Uint8Array;
  finish(aborted: boolean): Uint8Array;
  /** What is known of the stream that is read, where that is not what the reader after it finds. */
  report?(): Report | undefined;
  free(): void;
}

/** The side of a conversion that reads a protocol of your own. */
export interface Source {
  /** The name of the protocol that is read; `undefined` while no event has told it. */
  readonly from: string | undefined;
  push(bytes: Uint8Array): string;
  finish(): string;
  free(): void;
}

/** The side that writes one. */
export interface Target {
  write(lines: string): string;
}
